import { Credential, type CredentialSource } from "./credential.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { Core } from "./core.ts";
import { Shared } from "./core.ts";
import { checkHeaders } from "./headers.ts";
import { Slots, TokenBucket } from "./limiter.ts";
import { type ClientOptions, defaultLimits, type Optional, resolveLimits } from "./options.ts";
import { fetchTransport } from "./transport.ts";
import type { Operation } from "../wire/operation.ts";
import { Redactor } from "../wire/secret.ts";
import { version } from "../wire/version.ts";

/** What a client of one API adds to the options that both clients have. */
export interface ApiSettings
  extends Pick<
    Core,
    "queries" | "baseUrl" | "baseUrlOf" | "mayRepeat" | "parameterNames" | "describeError" | "apiError"
  > {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly credential: CredentialSource;
  /** Throws for a secret that this API cannot have. */
  readonly checkCredential: (secret: string) => void;
  /** Headers of the API, such as its version. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly loadCheck: () => Promise<{ check: ContractCheck }>;
}

/** The key of what a client passes to the clients of its `withOptions`. */
const inherited: unique symbol = Symbol("inherited");

interface Inheriting {
  [inherited]?: Core;
}

/** Creates what the calls of a client need. The options were checked. */
export function createCore(options: ClientOptions & Inheriting, settings: ApiSettings): Core {
  const { operations, credential, checkCredential, headers = {}, ...rest } = settings;
  const before = options[inherited];
  const redactor = before?.redactor ?? new Redactor();
  for (const secret of options.transport?.secrets?.() ?? []) redactor.add(secret);
  const limits = resolveLimits(options, defaultLimits);
  const { runtime = globalThis, maxConcurrency = Infinity } = options;
  const slots = maxConcurrency === Infinity ? undefined : new Slots(maxConcurrency);
  // limits nothing until the first 429
  const unlimited = { perSecond: Infinity, burst: Infinity, maxPause: limits.maxDelay, runtime };
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
    slots: before?.slots?.count === maxConcurrency ? before.slots : slots,
    limiter: options.limiter,
    limits,
    validate: options.validate ?? "envelope",
    runtime,
    shared: before?.shared ?? new Shared(new TokenBucket(unlimited)),
    loadCheck: loadOnce(rest.loadCheck),
  };
}

/** Loads a check of an API once. */
function loadOnce<Check>(load: () => Promise<{ check: Check }>): () => Promise<Check> {
  let loaded: Promise<Check> | undefined;
  return () => {
    loaded ??= load().then(({ check }) => check);
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
  changes: Optional<Options>,
  core: Core,
): Options & Inheriting {
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
