import ky, { type AfterResponseHook } from "ky";
import type { Budget } from "./budget.ts";
import { type Exchange, type Query, searchOf } from "./exchange.ts";
import { NoEvidence, RunEnded } from "./failures.ts";
import type { Redactor } from "../../wire/redaction.ts";
import { isObject } from "./json.ts";
import { findRoute } from "./routes.ts";

/** The URL and the credentials of requests. */
export interface Target {
  readonly api: "store" | "fleet";
  readonly as: string;
  readonly base: string;
  readonly secret: string;
}

/** A request of an experiment. */
export interface RequestSpec {
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  /** The version header; `null` leaves it out. */
  readonly version?: string | null;
  /** Whether the request restores data: such requests may exceed the budget. */
  readonly isCleanup?: boolean;
}

/** The settings of a run's requests. */
export interface HttpSenderOptions {
  readonly fetch: (input: Request, init?: RequestInit) => Promise<Response>;
  readonly budget: Budget;
  /** Knows the secrets of the run. */
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** The time limit of one request and its body, in milliseconds. */
  readonly timeout: number;
  readonly onExchange: (exchange: Exchange) => void;
}

/** A response whose body was read. */
interface ReceivedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** GETs are sent again after a failure, writes never. */
const RETRIES = 2;

/** The longest `Retry-After` that is obeyed, in milliseconds. */
const MAX_WAIT = 60_000;

/** The largest body that is read, in bytes. */
const MAX_BODY_LENGTH = 8 * 1024 * 1024;

/** The number of characters of a body that are kept as text. */
const MAX_TEXT_LENGTH = 1_000;

/** Sends the requests of a run one at a time through ky, and records each exchange. */
export class HttpSender {
  readonly #options: HttpSenderOptions;
  #count = 0;

  constructor(options: HttpSenderOptions) {
    this.#options = options;
  }

  /**
   * Sends a request and returns its exchange, evidence or not.
   *
   * @throws {NoEvidence} if there was no response
   * @throws {RunEnded} if no further request may be sent
   */
  async send(target: Target, spec: RequestSpec): Promise<Exchange> {
    const received = await this.#receive(target, spec);
    const exchange = this.#exchange(target, spec, received);
    this.#options.onExchange(exchange);
    return exchange;
  }

  async #receive(target: Target, spec: RequestSpec): Promise<ReceivedResponse> {
    const { fetch, timeout, signal, budget } = this.#options;
    const isRead = spec.method === "GET";
    const isCleanup = spec.isCleanup === true;
    let received: ReceivedResponse | undefined;
    const acquire = (): Promise<void> => budget.acquire(!isRead, isCleanup);
    const read: AfterResponseHook = async ({ response, retryCount }) => {
      const canRetry = isRead && retryCount < RETRIES;
      received = await readBody(response);
      if (received !== undefined && !this.#isFailure(received, response)) return undefined;
      if (!canRetry) return undefined;
      // a 429 decides the gaps about rate limits
      if (received?.status === 429) this.#options.onExchange(this.#exchange(target, spec, received));
      return ky.retry({ delay: 0, code: "UNUSABLE" });
    };
    try {
      await ky(urlOf(target, spec), {
        method: spec.method,
        fetch: (input, init) => fetch(input as Request, init),
        headers: headersOf(target, spec),
        ...(spec.body !== undefined && { body: bodyText(spec.body) }),
        redirect: "manual",
        throwHttpErrors: false,
        timeout: false,
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(isCleanup ? [] : [signal])]),
        retry: { limit: isRead ? RETRIES : 0, methods: ["get"], delay: () => 0 },
        hooks: { beforeRequest: [acquire], beforeRetry: [acquire], afterResponse: [read] },
      });
    } catch (error) {
      if (error instanceof RunEnded) throw error;
      if (signal.aborted && !isCleanup) throw new RunEnded("The run was stopped");
      budget.failed();
      throw new NoEvidence(`${spec.method} ${spec.path}: no response`);
    }
    if (received === undefined) throw new NoEvidence(`${spec.method} ${spec.path}: the body was cut`);
    return received;
  }

  /** Records success or failure of the service; returns whether to retry. */
  #isFailure({ status }: ReceivedResponse, { headers }: Response): boolean {
    const { budget } = this.#options;
    const isFailure = status >= 500 || status === 429 || status === 408;
    if (status >= 500) budget.failed();
    else budget.succeeded();
    if (isFailure) budget.postpone(Math.min(retryAfter(headers.get("retry-after")), MAX_WAIT));
    return isFailure;
  }

  #exchange(target: Target, spec: RequestSpec, { status, contentType, text }: ReceivedResponse): Exchange {
    const { redactor } = this.#options;
    const json = redactor.parseJson(text);
    const beginning = redactor.redact(text.trimStart().slice(0, MAX_TEXT_LENGTH));
    const { api, as } = target;
    this.#count += 1;
    return {
      n: this.#count,
      api,
      as,
      method: spec.method,
      path: spec.path,
      query: spec.query ?? {},
      ...findRoute(api, spec.method, spec.path),
      version: versionOf(target, spec),
      status,
      text: beginning,
      json,
      isEvidence: isEvidence(api, status, contentType, beginning, json),
    };
  }
}

/** Whether a response comes from the API: 5xx, 429, redirects, HTML and other bodies do not. */
export function isEvidence(
  api: "store" | "fleet",
  status: number,
  contentType: string,
  text: string,
  json: unknown,
): boolean {
  if (status >= 500 || status === 429 || status === 408 || status < 200) return false;
  if (status >= 300 && status < 400) return false;
  if (/\bhtml\b/i.test(contentType) || text.trimStart().startsWith("<")) return false;
  const isEmpty = text.trim() === "";
  if (status < 300) return isObject(json) || (api === "fleet" && (isEmpty || Array.isArray(json)));
  if (api === "store") return isObject(json) && isObject(json.error);
  return isEmpty ? status === 400 : isObject(json) && Array.isArray(json.errors);
}

function urlOf({ base }: Target, { path, query = {} }: RequestSpec): string {
  const search = searchOf(query);
  return base.replace(/\/+$/, "") + path + (search === "" ? "" : `?${search}`);
}

function versionOf({ api }: Target, { version }: RequestSpec): string | undefined {
  if (api === "store" || version === null) return undefined;
  return version ?? "v1";
}

function headersOf(target: Target, spec: RequestSpec): Record<string, string> {
  const version = versionOf(target, spec);
  return {
    accept: "application/json",
    authorization: `Bearer ${target.secret}`,
    ...(version !== undefined && { "x-service-api-version": version }),
    ...(spec.body !== undefined && { "content-type": spec.contentType ?? "application/json" }),
  };
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Returns milliseconds; 0 without a valid header. */
function retryAfter(value: string | null): number {
  if (value === null) return 0;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}

/** Returns the body of a response; `undefined` if it was cut off or is too large. */
async function readBody(response: Response): Promise<ReceivedResponse | undefined> {
  const contentType = response.headers.get("content-type") ?? "";
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BODY_LENGTH) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    return undefined;
  }
  return { status: response.status, contentType, text: text + decoder.decode() };
}
