import { fleetVersion } from "../../../generated/fleet.operations.ts";
import ky, { type BeforeRetryHook, type KyInstance, isHTTPError } from "ky";
import { hasDotSegment } from "../../wire/path-segment.ts";
import { parseRedacted } from "../../wire/redact-json.ts";
import type { Redactor } from "../../wire/redaction.ts";
import { parseRetryAfter } from "../../wire/retry-after.ts";
import { type Budget, MAX_WAIT, STOPPED_LIMIT, type Timing } from "./budget.ts";
import { describeConnectionFailure } from "./connection.ts";
import { NoEvidence, NoResponse, RunEnded } from "./failures.ts";

/** The URL and the credentials of requests. */
export interface Target {
  readonly api: "store" | "fleet";
  readonly as: string;
  readonly base: string;
  readonly secret: string;
}

/** A query; an array is a repeated parameter. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** A request below a base URL. */
export interface RequestSpec {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  /** The header `X-Service-API-Version`; `null` leaves it out. */
  readonly version?: string | null;
  /** Whether the request restores data: such requests may exceed the budget. */
  readonly isCleanup?: boolean;
  /** Whether the connection is closed after the request. */
  readonly isLastOfConnection?: boolean;
}

/** A response whose body was read. */
export interface ReceivedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** False if the body may have been cut off, which ky does not tell from an empty one. */
  readonly isWhole: boolean;
  /** The parsed body without secrets; `undefined` if it is empty or not JSON. */
  readonly json: unknown;
  /** The service's time, in milliseconds. */
  readonly date: number | undefined;
}

/** The settings of a run's requests. */
export interface SenderOptions {
  /** Default: the global `fetch`. */
  readonly fetch?: ((input: Request, init?: RequestInit) => Promise<Response>) | undefined;
  readonly budget: Budget;
  readonly timing: Timing;
  /** Knows the secrets of the run. */
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** The time limit of one request and its body, in milliseconds. Default: 30 000. */
  readonly timeout?: number | undefined;
}

/** The largest body that is read, in bytes. Redacting a larger one would take seconds. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** The largest number of characters of a path and its query: a cursor or an ID of a service may have any length. */
const MAX_TARGET = 65_536;

/** The number of characters of a path, and of a cause, in an error. */
const MAX_SHOWN = 200;

/** Sends the requests of a run through ky, one at a time: ky repeats GETs, and the budget paces and counts them. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #ky: KyInstance;

  constructor(options: SenderOptions) {
    const { budget } = options;
    this.#options = options;
    this.#ky = ky.create({
      fetch: (input, init) => (options.fetch ?? fetch)(input as Request, init), // ky passes a Request
      redirect: "manual",
      retry: {
        methods: ["get"],
        maxRetryAfter: MAX_WAIT,
        // a longer wait ends the run
        shouldRetry: () => (budget.ended === undefined ? undefined : false),
        ...options.timing.retry,
      },
      // the bodies of errors stay text
      parseJson: (text) => text,
      onDownloadProgress: ({ transferredBytes }) => {
        if (transferredBytes > MAX_LENGTH) throw new Error("The body is too large");
      },
      hooks: {
        beforeRequest: [
          ({ request, options: { context } }) =>
            budget.acquire(request.method !== "GET", context["isCleanup"] === true),
        ],
        afterResponse: [({ response }) => this.#record(response)],
      },
    });
  }

  /**
   * Sends a request and reads its body. `onLimited` receives the responses with status 429 that ky repeats.
   *
   * @throws {NoEvidence} if there was no response
   * @throws {RunEnded} if no further request may be sent
   */
  async send(
    target: Target,
    spec: RequestSpec,
    onLimited?: (response: ReceivedResponse) => void,
  ): Promise<ReceivedResponse> {
    const { budget, signal, timeout = 30_000 } = this.#options;
    const { method, path, query, body, isCleanup = false } = spec;
    const what = `${method} ${path}`;
    const fault = faultOf(path, query);
    if (fault !== undefined) throw new NoEvidence(`${what.slice(0, MAX_SHOWN)}: ${fault}`);
    const beforeRetry: BeforeRetryHook = ({ error }) => {
      if (!isHTTPError(error)) budget.recordFailure();
      else if (error.response.status === 429) onLimited?.(this.#receive(error.response, error.data));
      return budget.acquire(false, isCleanup);
    };
    const sent = this.#ky(urlOf(target, path, query), {
      method,
      headers: headersOf(target, spec),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      // after a stop, a person waits for the end of the program
      timeout: signal.aborted ? Math.min(timeout, STOPPED_LIMIT) : timeout,
      ...(!isCleanup && { signal }),
      context: { isCleanup },
      hooks: { beforeRetry: [beforeRetry] },
    });
    try {
      const text = await sent.text();
      return this.#receive(await sent, text);
    } catch (error) {
      if (isHTTPError(error)) return this.#receive(error.response, error.data);
      if (error instanceof RunEnded || error instanceof NoEvidence) throw error;
      if (signal.aborted && !isCleanup) throw new RunEnded("The run was stopped");
      budget.recordFailure();
      const reason = this.#options.redactor.redact(describeConnectionFailure(error)).slice(0, MAX_SHOWN);
      throw new NoResponse(`${what}: no response`, reason);
    }
  }

  /** Counts success or failure of the service, and obeys its `Retry-After`. */
  #record({ status, headers }: Response): void {
    const { budget } = this.#options;
    if (status >= 500) budget.recordFailure();
    else if (status === 429) budget.recordLimit();
    else budget.recordSuccess();
    if (status < 500 && status !== 429 && status !== 408) return;
    budget.postpone(parseRetryAfter(headers.get("retry-after"), Date.now()) ?? 0);
  }

  #receive({ ok, status, headers }: Response, data: unknown): ReceivedResponse {
    const { redactor } = this.#options;
    const text = typeof data === "string" ? data : "";
    const date = Date.parse(headers.get("date") ?? "");
    return {
      status,
      contentType: redactor.redact(headers.get("content-type") ?? ""),
      text,
      isWhole: ok || text !== "" || isEmpty(headers),
      json: parseRedacted(text, redactor),
      date: Number.isNaN(date) ? undefined : date,
    };
  }
}

/** Returns the reason that a request must not be sent; `undefined` if it may be sent. */
function faultOf(path: string, query: Query = {}): string | undefined {
  if (hasDotSegment(path)) return "a path cannot contain this ID";
  return path.length + searchOf(query).length > MAX_TARGET
    ? "the path and the query are too long"
    : undefined;
}

/** Whether a response has no body: ky reads one that was cut off as none. */
function isEmpty(headers: Headers): boolean {
  return Number(headers.get("content-length") ?? 0) === 0 && !headers.has("transfer-encoding");
}

function urlOf({ base }: Target, path: string, query: Query = {}): string {
  return base.replace(/\/+$/, "") + withQuery(path, query);
}

/** Returns method, path and query on one line. */
export function lineOf({ method, path, query = {} }: Pick<RequestSpec, "method" | "path" | "query">): string {
  return `${method} ${withQuery(path, query)}`;
}

function withQuery(path: string, query: Query): string {
  const search = searchOf(query);
  return search === "" ? path : `${path}?${search}`;
}

/** Returns the encoded query, without the question mark. */
function searchOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((text) => [name, text]));
  return new URLSearchParams(pairs).toString();
}

/** The header `X-Service-API-Version` of a request. */
export function versionOf(api: Target["api"], { version }: Pick<RequestSpec, "version">): string | undefined {
  if (api === "store" || version === null) return undefined;
  return version ?? fleetVersion;
}

function headersOf({ api, secret }: Target, spec: RequestSpec): Record<string, string> {
  const version = versionOf(api, spec);
  return {
    accept: "application/json",
    "cache-control": "no-cache",
    authorization: `Bearer ${secret}`,
    ...(version !== undefined && { "x-service-api-version": version }),
    ...(spec.isLastOfConnection === true && { connection: "close" }),
    ...(spec.body !== undefined && { "content-type": spec.contentType ?? "application/json" }),
  };
}
