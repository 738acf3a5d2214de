/** The rules for every request of every call, also those that jobs make: repetitions, waits, limits, and what errors say. */
import type { EndEvent, FetchInit, RequestEvent, ResponseEvent } from "../../src/index.ts";
import { CallError } from "../../src/index.ts";
import type { CoreResponse } from "../../src/mock/index.ts";
import { must } from "./clock.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";

/** A request of a call. */
export interface Attempt {
  readonly start: number;
  /** What the client got: undefined before the end, null without a response. */
  status?: number | null;
  end?: number;
  /** The wait that the response names, in ms. */
  retryAfter?: number;
  /** Whether the request changed something. */
  hasEffect?: boolean;
}

interface Call {
  readonly name: string;
  readonly isRead: boolean;
  readonly mayRepeat: boolean;
  readonly attempts: Attempt[];
  isEnded?: boolean;
}

const retried = new Set([408, 429, 500, 502, 503, 504]);

/** Written from the contract: whether a second request has the same effect. */
function mayRepeat(method: string, path: string, body: unknown): boolean {
  if (method === "GET" || method === "DELETE") return true;
  if (method !== "PUT" || path.includes("/inspection-templates/")) return false;
  const sent = JSON.parse(String(body)) as { externalId?: string; expositions?: unknown[] };
  if (path.endsWith("/expositions")) return sent.expositions?.length === 0;
  return sent.externalId === undefined || path.endsWith(`/stores/${sent.externalId}`);
}

export class Calls {
  readonly #service: Service;
  readonly #client: History["client"];
  readonly #calls = new Map<string, Call>();
  /** Whether a 429 was sent: the clients adapt their rate. */
  #isThrottled = false;

  constructor(service: Service, client: History["client"]) {
    this.#service = service;
    this.#client = client;
  }

  /** Called when a request is sent. */
  open(name: string, url: string, { method, body }: FetchInit): Attempt {
    const { pathname } = new URL(url);
    const facts = { isRead: method === "GET", mayRepeat: mayRepeat(method, pathname, body) };
    const call = this.#calls.get(name) ?? { name: `${method} ${pathname}`, ...facts, attempts: [] };
    if (name !== "") this.#calls.set(name, call);
    if (call.attempts.length > 0) this.#checkRepetition(call);
    const attempt: Attempt = { start: this.#service.clock.now };
    call.attempts.push(attempt);
    return attempt;
  }

  /** Called when the service has responded. */
  arrive(attempt: Attempt, { status, headers }: CoreResponse, hasEffect: boolean): void {
    const value = headers["retry-after"];
    if (value !== undefined)
      attempt.retryAfter = /^\d+$/.test(value)
        ? Number(value) * 1000
        : Date.parse(value) - Date.parse(headers["date"] ?? "");
    attempt.hasEffect = hasEffect;
    this.#isThrottled ||= status === 429;
  }

  /** Whether a request may be sent again, now. */
  #checkRepetition({ name, attempts, mayRepeat: isRepeatable, isEnded = false }: Call): void {
    const { retry, maxConcurrency, perSecond } = this.#client;
    const last = attempts.at(-1) as Attempt; // there is one
    const { status, retryAfter, end = Infinity } = last;
    must(!isEnded, "a call that has ended sends nothing", name, attempts);
    must(status !== undefined, "a request is repeated after the end of the one before", name, attempts);
    const count = (found: (each: number | null | undefined) => boolean): number =>
      attempts.filter((each) => found(each.status)).length;
    if (status === 401)
      return must(count((each) => each === 401) === 1, "a rejected token is replaced once", name, attempts);
    must(
      status === null || retried.has(status),
      "a final response is not followed by a retry",
      name,
      attempts,
    );
    must(retry > 0, "retry: 0 allows no retry", name, attempts);
    const isRefused = status === 429;
    const failures = count((each) => each !== 429 && each !== 401);
    must(isRefused || isRepeatable, "a write that may have been processed is not repeated", name, attempts);
    must(isRefused || failures <= retry, "there are at most `retry` retries", name, attempts);
    const backoff = Math.min(30_000, 300 * 2 ** ((isRefused ? count((each) => each === 429) : failures) - 1));
    const waited = this.#service.clock.now - end;
    must(
      waited >= (retryAfter ?? backoff / 2) - 1,
      "a retry waits as long as it must",
      name,
      waited,
      attempts,
    );
    const isFree = maxConcurrency === null && perSecond === null && !this.#isThrottled;
    const most = Math.max(0, retryAfter ?? backoff) + 1;
    must(!isFree || waited <= most, "a retry does not wait longer than it must", name, waited, attempts);
  }

  /** The hook `onRequest`. */
  request(name: string, { attempt, headers }: RequestEvent): void {
    const sent = this.#calls.get(name)?.attempts.length ?? 0;
    must(attempt === sent + 1, "onRequest counts the attempts", attempt, sent);
    headers["x-call"] = name;
  }

  /** The hook `onResponse`. */
  response(name: string, { status, error }: ResponseEvent): void {
    const attempt = this.#calls.get(name)?.attempts.at(-1);
    must(
      attempt !== undefined && attempt.status === undefined,
      "onResponse follows each onRequest once",
      name,
    );
    must((status === undefined) === (error !== undefined), "onResponse has a status or an error");
    attempt.status = status ?? null;
    attempt.end = this.#service.clock.now;
  }

  /** The hook `onEnd`. */
  end(id: string, { attempts: count, error, duration }: EndEvent): void {
    const call = this.#calls.get(id);
    const { totalTimeout, timeout } = this.#client;
    if (call === undefined) return must(count === 0, "onEnd is about a call that sent a request");
    const { name, attempts, isRead, mayRepeat: isRepeatable } = call;
    must(call.isEnded !== true, "onEnd is called once", name);
    call.isEnded = true;
    must(count === attempts.length, "onEnd has the number of requests", name, count, attempts);
    must(
      totalTimeout === null || duration <= totalTimeout + 1,
      "a call ends within totalTimeout",
      name,
      duration,
    );
    const isInTime = attempts.every(({ start, end = start }) => end - start <= timeout + 1);
    must(isInTime, "a request ends within timeout", name, attempts);
    if (!(error instanceof CallError)) return;
    must(error.attempts === attempts.length, "an error has the number of requests", name, attempts);
    const last = attempts.at(-1)?.status;
    const hasEffect = !isRead && attempts.some((attempt) => attempt.hasEffect === true);
    const isKnown = error.mayHaveBeenProcessed || (last ?? 500) < 300;
    must(!hasEffect || isKnown, "a write without mayHaveBeenProcessed was not applied", name, attempts);
    must(
      !(error.retryable && hasEffect) || isRepeatable,
      "a retryable write has no second effect",
      name,
      attempts,
    );
  }
}
