/** The rules for every request of every call, also those that jobs make: repetitions, waits, limits, and what errors say. */
import type { EndEvent, FetchInit, RequestEvent, ResponseEvent } from "../../src/client/store/index.ts";
import { CallError } from "../../src/client/store/index.ts";
import type { CoreResponse } from "../../src/mock/server/exchange.ts";
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
  /** Whether the response is not what the contract describes. */
  isForeign?: boolean;
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
  arrive(attempt: Attempt, { status, headers, fault }: CoreResponse, hasEffect: boolean): void {
    const value = headers["retry-after"];
    const until = Date.parse(value ?? "") - Date.parse(headers["date"] ?? "");
    if (value !== undefined) attempt.retryAfter = /^\d+$/.test(value) ? Number(value) * 1000 : until;
    attempt.hasEffect = hasEffect;
    attempt.isForeign = fault !== undefined;
    this.#isThrottled ||= status === 429;
  }

  /** Whether a request may be sent again, now. */
  #checkRepetition({ name, attempts, mayRepeat: isRepeatable, isEnded = false }: Call): void {
    const { retry, maxConcurrency, perSecond } = this.#client;
    const { status, end = Infinity, ...last } = attempts.at(-1) as Attempt; // there is one
    const retryAfter = status === null ? undefined : last.retryAfter; // a response that was cut off
    const rule = (holds: boolean, text: string): void => must(holds, text, name, attempts);
    const counts = { refused: 0, failed: 0, rejected: 0 };
    const kindOf = (each: Attempt) => ({ 429: "refused", 401: "rejected" })[each.status ?? 0] ?? "failed";
    for (const each of attempts) counts[kindOf(each) as keyof typeof counts] += 1; // one of them
    rule(!isEnded, "a call that has ended sends nothing");
    rule(status !== undefined, "a request is repeated after the end of the one before");
    if (status === 401) return rule(counts.rejected === 1, "a rejected token is replaced once");
    rule(
      status === null || retried.has(status ?? 0) || last.isForeign === true,
      "a final response is not followed by a retry",
    );
    rule(retry > 0, "retry: 0 allows no retry");
    const isRefused = status === 429;
    rule(isRefused || isRepeatable, "a write that may have been processed is not repeated");
    rule(isRefused || counts.failed <= retry, "there are at most `retry` retries");
    const backoff = Math.min(30_000, 300 * 2 ** ((isRefused ? counts.refused : counts.failed) - 1));
    const waited = this.#service.clock.now - end;
    rule(waited >= (retryAfter ?? backoff / 2) - 1, "a retry waits as long as it must");
    const isFree = maxConcurrency === null && perSecond === null && !this.#isThrottled;
    const most = Math.max(0, retryAfter ?? backoff) + 1;
    rule(!isFree || waited <= most, "a retry does not wait longer than it must");
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
    const isOpen = attempt !== undefined && attempt.status === undefined;
    must(isOpen, "onResponse follows each onRequest once", name);
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
    const rule = (holds: boolean, text: string): void => must(holds, text, name, attempts, String(error));
    rule(call.isEnded !== true, "onEnd is called once");
    call.isEnded = true;
    rule(count === attempts.length, "onEnd has the number of requests");
    rule(totalTimeout === null || duration <= totalTimeout + 1, "a call ends within totalTimeout");
    const isInTime = attempts.every(({ start, end = start }) => end - start <= timeout + 1);
    rule(isInTime, "a request ends within timeout");
    if (!(error instanceof CallError)) return;
    rule(error.attempts === attempts.length, "an error has the number of requests");
    const hasEffect = !isRead && attempts.some((attempt) => attempt.hasEffect === true);
    const isKnown = error.mayHaveBeenProcessed || (attempts.at(-1)?.status ?? 500) < 300;
    rule(!hasEffect || isKnown, "a write without mayHaveBeenProcessed was not applied");
    rule(!(error.retryable && hasEffect) || isRepeatable, "a retryable write has no second effect");
  }
}
