import ky, { type AfterResponseHook } from "ky";
import { type Budget, STOPPED_LIMIT } from "./budget.ts";
import { type Exchange, type Query, searchOf } from "./exchange.ts";
import { describeConnectionFailure } from "./connection.ts";
import { NoEvidence, NoResponse, RunEnded } from "./failures.ts";
import { parseRetryAfter } from "../../wire/retry-after.ts";
import { readText } from "../read-text.ts";
import { requestFault } from "../request-fault.ts";
import type { Redactor } from "../../wire/redaction.ts";
import { isObject } from "./json.ts";
import { findRoute } from "../routes.ts";

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
  /** The service's time, in milliseconds. */
  readonly date: number | undefined;
}

/** GETs are sent again after a failure, writes never. */
const RETRIES = 2;

/** The number of characters of a body that are kept as text. */
export const MAX_TEXT_LENGTH = 1_000;

/** Sends the requests of a run one at a time through ky, and records each exchange. */
export class HttpSender {
  readonly #options: HttpSenderOptions;

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
    const fault = requestFault(spec.path, searchOf(spec.query ?? {}));
    if (fault !== undefined) throw new NoEvidence(`${spec.method} ${spec.path.slice(0, 200)}: ${fault}`);
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
      const response = await ky(urlOf(target, spec), {
        method: spec.method,
        fetch: (input, init) => fetch(input as Request, init),
        headers: headersOf(target, spec),
        ...(spec.body !== undefined && { body: bodyText(spec.body) }),
        redirect: "manual",
        throwHttpErrors: false,
        timeout: false,
        signal: isCleanup
          ? AbortSignal.timeout(signal.aborted ? Math.min(timeout, STOPPED_LIMIT) : timeout)
          : AbortSignal.any([AbortSignal.timeout(timeout), signal]),
        retry: { limit: isRead ? RETRIES : 0, methods: ["get"], delay: () => 0 },
        hooks: { beforeRequest: [acquire], beforeRetry: [acquire], afterResponse: [read] },
      });
      void response.body?.cancel().catch(() => {}); // the hook has read a clone
    } catch (error) {
      if (error instanceof RunEnded) throw error;
      if (signal.aborted && !isCleanup) throw new RunEnded("The run was stopped");
      budget.recordFailure();
      throw new NoResponse(`${spec.method} ${spec.path}: no response`, describeConnectionFailure(error));
    }
    if (received === undefined) throw new NoEvidence(`${spec.method} ${spec.path}: the body was cut`);
    return received;
  }

  /** Records success or failure of the service; returns whether to retry. */
  #isFailure({ status }: ReceivedResponse, { headers }: Response): boolean {
    const { budget } = this.#options;
    const isFailure = status >= 500 || status === 429 || status === 408;
    if (status >= 500) budget.recordFailure();
    else if (status === 429) budget.recordLimit();
    else budget.recordSuccess();
    if (isFailure) budget.postpone(parseRetryAfter(headers.get("retry-after"), Date.now()) ?? 0);
    return isFailure;
  }

  #exchange(
    target: Target,
    spec: RequestSpec,
    { status, contentType, text, date }: ReceivedResponse,
  ): Exchange {
    const { redactor } = this.#options;
    const json = redactor.parseJson(text);
    const beginning = redactor.redact(text.trimStart().slice(0, MAX_TEXT_LENGTH));
    const { api, as } = target;
    return {
      n: this.#options.budget.total,
      failures: this.#options.budget.failed,
      api,
      as,
      method: spec.method,
      path: spec.path,
      query: spec.query ?? {},
      ...findRoute(api, spec.method, spec.path),
      version: versionOf(target, spec),
      ...(spec.body !== undefined && { body: spec.body, contentType: spec.contentType }),
      ...(date !== undefined && { date }),
      status,
      text: beginning,
      size: text.length,
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
    "cache-control": "no-cache",
    authorization: `Bearer ${target.secret}`,
    ...(version !== undefined && { "x-service-api-version": version }),
    ...(spec.body !== undefined && { "content-type": spec.contentType ?? "application/json" }),
  };
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Returns the body of a response; `undefined` if it was cut off or is too large. */
async function readBody(response: Response): Promise<ReceivedResponse | undefined> {
  const text = await readText(response);
  if (text === undefined) return undefined;
  const contentType = response.headers.get("content-type") ?? "";
  const date = Date.parse(response.headers.get("date") ?? "");
  return { status: response.status, contentType, text, date: Number.isNaN(date) ? undefined : date };
}
