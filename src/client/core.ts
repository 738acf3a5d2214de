import type { Operation } from "../wire/operation.ts";
import { Credential, type CredentialSource } from "./credential.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { ApiError, ApiErrorDetails, CallDetails } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import { type Limiter, Places, TokenBucket } from "./limiter.ts";
import type { Log } from "./log.ts";
import {
  checkHeaders,
  type ClientOptions,
  defaultLimits,
  type Limits,
  requireValue,
  resolveLimits,
  type Runtime,
} from "./options.ts";
import { Redactor } from "../wire/redaction.ts";
import { fetchTransport, type Transport } from "./transport.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { version } from "../wire/version.ts";

/** What a client shares with the clients of its `withOptions`. */
export interface Shared {
  /** Limits nothing until the first 429. */
  readonly limiter: Limiter;
  /** Aborted when the client is drained. */
  readonly drain: AbortController;
  /** The number of calls so far; each call has its number. */
  calls: number;
  /** The number of calls that have not settled. */
  pending: number;
  /** Called when it falls to 0. */
  readonly onIdle: (() => void)[];
  /** When the last response other than 429 came, by the monotonic clock. */
  acceptedAt: number;
}

/** What all calls of a client need. It never changes. */
export interface Core {
  /** The operations by method and path, such as `GET /v1/stores`. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly transport: Transport;
  readonly credential: Credential;
  readonly redactor: Redactor;
  /** Returns the base URL for a token or key. */
  readonly baseUrlOf: (secret: string) => string;
  /** The base URL of every request; undefined if it depends on the key. */
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly hooks: readonly Hooks[];
  readonly log: Log | undefined;
  /** Limits the requests in flight; undefined without a limit. */
  readonly places: Places | undefined;
  /** Replaces the limiter of `shared`. */
  readonly limiter: Limiter | undefined;
  readonly limits: Limits;
  readonly validate: "envelope" | "full";
  readonly runtime: Runtime;
  readonly shared: Shared;
  readonly loadCheck: () => Promise<ContractCheck>;
  /** Whether a PUT or DELETE has the same effect if it is sent twice. */
  readonly mayRepeat: (operation: string, path: JsonObject, body: unknown) => boolean;
  /** Properties of queries whose parameters have other names: in the document, and for the service. */
  readonly parameterNames: Readonly<Record<string, { readonly documented: string; readonly used: string }>>;
  /** Whether every retry of a request ends with the same error response. */
  readonly isPermanent: (received: Received) => boolean;
  /** Creates the error for an error response. */
  readonly apiError: (operation: Operation, details: ApiErrorDetails) => ApiError;
}

/** What a call needs besides the URL and the body of its request. */
export interface SentRequest {
  readonly operation: Operation;
  /** The IDs in the path. */
  readonly path: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Whether the request has the same effect if it is sent twice. */
  readonly mayRepeat: boolean;
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[];
}

/** A successful response, and the JSON of its body; undefined for an empty one. */
export interface CallResult {
  readonly received: Received;
  readonly json: JsonObject | undefined;
  /** The request, for an error about the response. */
  readonly details: CallDetails;
}

/** A response whose body was read. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Whether the body ended within the limit. */
  readonly complete: boolean;
  readonly url: string;
}

/** The head of a response. Its body has been read. */
export interface ResponseHead {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
}

/** Data and its response. */
export interface WithResponse<T> {
  data: T;
  response: ResponseHead;
  /** The request ID from the response headers; undefined without such a header. */
  requestId: string | undefined;
  /** The envelope's `meta`, if the API has one. */
  meta?: JsonObject | undefined;
}

/** The result of one request. The request is sent at once, and only once, however often the result is awaited. */
export interface Call<T> extends Promise<T> {
  /** Returns the data and the HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<T>>;
}

/** What a client of one API adds to the options that both clients have. */
export interface ApiSettings
  extends Pick<Core, "baseUrl" | "baseUrlOf" | "mayRepeat" | "parameterNames" | "isPermanent" | "apiError"> {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly credential: CredentialSource;
  /** Throws for a secret that this API cannot have. */
  readonly checkCredential: (secret: string) => void;
  /** Headers of the API, such as its version. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly loadSchemas: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The key of what a client passes to the clients of its `withOptions`. */
const inherited: unique symbol = Symbol("inherited");

interface Inheriting {
  [inherited]?: Core;
}

/** Creates what the calls of a client need. The options were checked. */
export function createCore(options: ClientOptions & Inheriting, settings: ApiSettings): Core {
  const { operations, credential, checkCredential, headers = {}, loadSchemas, ...rest } = settings;
  const before = options[inherited];
  const redactor = before?.redactor ?? new Redactor();
  for (const secret of options.transport?.secrets?.() ?? []) redactor.add(secret);
  const limits = resolveLimits(options, defaultLimits);
  const runtime = options.runtime ?? globalThis;
  const { maxConcurrency = Infinity } = options;
  const places = maxConcurrency === Infinity ? undefined : new Places(maxConcurrency);
  const shared: Shared = before?.shared ?? {
    limiter: new TokenBucket(Infinity, Infinity, limits.maxDelay, runtime),
    drain: new AbortController(),
    calls: 0,
    pending: 0,
    onIdle: [],
    acceptedAt: 0,
  };
  return {
    ...rest,
    operations: new Map(Object.values(operations).map((row) => [`${row.method} ${row.path}`, row])),
    transport: options.transport ?? fetchTransport(options.fetch, options.cache ?? "no-store"),
    credential: new Credential(credential, checkCredential, redactor),
    redactor,
    headers: {
      accept: "application/json",
      ...userAgent(),
      ...checkHeaders(headers),
      ...checkHeaders(options.headers),
    },
    hooks: [options.hooks ?? []].flat(),
    log: options.log,
    places: before?.places?.count === maxConcurrency ? before.places : places,
    limiter: options.limiter,
    limits,
    validate: options.validate ?? "envelope",
    runtime,
    shared,
    loadCheck: loadOnce(loadSchemas),
  };
}

/** Loads the schemas of an API once. */
function loadOnce(load: ApiSettings["loadSchemas"]): () => Promise<ContractCheck> {
  let loaded: Promise<ContractCheck> | undefined;
  return () => {
    loaded ??= Promise.all([import("./contract-check.ts"), load()]).then(
      ([{ ContractCheck: Check }, schemas]) => new Check(schemas),
    );
    // a failed download is tried again
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
}

/** Browsers send their own `User-Agent`; setting the header would cause a preflight request. */
function userAgent(): Record<string, string> {
  // not every platform has one, and no type of the language describes it
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith("Mozilla/") ? {} : { "user-agent": `shelfleet/${version}` };
}

/** Merges the options of `withOptions` into those of the client. */
export function mergeOptions<Options extends ClientOptions>(
  own: Options,
  changes: Partial<Options>,
  core: Core,
): Options & Inheriting {
  requireValue("withOptions: the options must be an object", isObject(changes));
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<Options>; // the entries of `changes`
  return {
    ...own,
    // options that a given one replaces
    ...(given.transport !== undefined && { fetch: undefined }),
    ...(given.fetch !== undefined && { transport: undefined }),
    ...given,
    [inherited]: core,
  };
}

/** Ends the waits of a client and of those of its `withOptions`. Resolves when every call has settled. */
export async function drain({ shared }: Core): Promise<void> {
  shared.drain.abort(new DOMException("The client is drained: it sends no further request", "AbortError"));
  if (shared.pending > 0) await new Promise<void>((resolve) => void shared.onIdle.push(resolve));
}
