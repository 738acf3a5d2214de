/** The hooks and the log of a simulated client: each event is compared with the other events of its call. */
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  ShelfleetError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../src/index.ts";
import type { Hooks, SettledEvent } from "../../src/client/core/options/hooks.ts";
import { type Log, logTo } from "../../src/client/core/options/log.ts";
import type { Logger } from "../../src/client/core/options/logger.ts";
import type { SimulatedWorld } from "./client.ts";
import { wallTime } from "./clock.ts";
import type { Exchange } from "./observer.ts";

/** An error of a hook, which must reach nobody but `onHookError`. */
class HookError extends Error {
  override readonly name = "HookError";
}

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0] & object;
type Started = EventOf<"onCall">;
type Watched = Exclude<keyof Hooks, "onDrift" | "onHookError">;

/** One call of a client, as its events tell it. */
interface WatchedCall {
  readonly event: Started;
  readonly startedAt: number;
  /** When the next request may be sent, and whether one is open. */
  readyAt: number;
  isOpen: boolean;
  /** Attempts that failed before a request was sent, because the token function took too long. */
  unsent: number;
  /** By their attempts, from 1 on. */
  readonly requests: WatchedRequest[];
  isEnded: boolean;
  failure: unknown;
}

interface WatchedRequest {
  readonly sentAt: number;
  /** The time before it in which nothing else than a slot and the limiter was waited for. */
  readonly waited: number;
  /** The number of requests that the network had seen before this one. */
  readonly before: number;
  responded: number | undefined;
  settled: SettledEvent | undefined;
}

/** The header that the hook `onSend` adds to each request. */
const traceHeader = "x-trace";

/** Checks the events of one client. */
export class EventWatch {
  readonly #world: SimulatedWorld;
  readonly #calls = new Map<object, WatchedCall>();
  #lastCall = 0;
  #lines = 0;
  /** The attempts that the log names, by the number of their call. */
  readonly #logged = new Map<string, number[]>();
  hasLog = true;
  hasHooks = true;
  #settled = 0;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  /** Hooks that look at every event. */
  readonly hooks: Required<Pick<Hooks, Watched>> = {
    onCall: (event) => {
      this.#see("onCall", event);
      this.#check(event.call === this.#lastCall + 1, `call ${event.call} follows ${this.#lastCall}`);
      this.#lastCall = event.call;
      const { now } = this.#world.clock;
      const none = { requests: [], isOpen: false, unsent: 0, isEnded: false, failure: undefined };
      this.#calls.set(event.scope, { event, startedAt: now, readyAt: now, ...none });
    },
    onSend: (event) => {
      const { requests } = this.#see("onSend", event);
      this.#check(event.attempt === requests.length + 1, `onSend has attempt ${event.attempt}`);
      this.#check(!("authorization" in event.headers), "onSend shows the header `authorization`");
      event.headers[traceHeader] = traceOf(event);
    },
    onRequest: (event) => {
      const started = this.#see("onRequest", event);
      const { requests, readyAt } = started;
      started.isOpen = true;
      const { clock, observer } = this.#world;
      const before = observer.exchanges.length;
      const none = { responded: undefined, settled: undefined };
      requests.push({ sentAt: clock.now, waited: clock.now - readyAt, before, ...none });
      this.#check(event.attempt === requests.length, `onRequest has attempt ${event.attempt}`);
      this.#checkOrder(event, readyAt);
      this.#checkPermit(event);
      this.#check(clock.now >= readyAt, "a retry is sent before its delay is over");
    },
    onResponse: (event) => {
      const call = this.#see("onResponse", event);
      const request = this.#requestOf(call, event);
      this.#check(request.responded === undefined, "onResponse comes twice");
      this.#check(
        event.duration === this.#world.clock.now - request.sentAt,
        "onResponse has a wrong duration",
      );
      request.responded = event.status;
      this.#checkResponse(call.event, request, event);
    },
    onSettled: (event) => {
      this.#settled += 1;
      const call = this.#see("onSettled", event);
      const request = this.#requestOf(call, event);
      this.#settle(call, request, event);
    },
    onRetry: (event) => {
      const call = this.#see("onRetry", event);
      const { status, error, delay } = event;
      const last = call.requests.at(-1)?.settled?.status;
      // the wait for another token may have failed after the last response
      const isFixed = this.#world.scenario.client.token === "fixed";
      this.#check(status === last || !isFixed, `onRetry has status ${status}, not ${last}`);
      this.#check((status === undefined) !== (error === undefined), "onRetry has no reason, or two");
      if (isFixed) this.#checkDelay(call, event);
      call.readyAt = this.#world.clock.now + delay;
      if (!call.isOpen) call.unsent += 1;
      call.isOpen = false;
    },
    onError: (event) => {
      const call = this.#see("onError", event);
      this.#check(call.requests.length > 0, "onError follows no request");
      this.#check(
        call.failure === undefined && event.error !== undefined,
        "onError has no error, or another",
      );
      call.failure = event.error;
    },
    onCallEnd: (event) => {
      const call = this.#see("onCallEnd", event);
      const { requests, failure, startedAt } = call;
      call.isEnded = true;
      this.#check(event.attempts === requests.length, `onCallEnd has ${event.attempts} attempts`);
      this.#check(event.duration === this.#world.clock.now - startedAt, "onCallEnd has a wrong duration");
      const mayBeSilent = requests.length === 0 || !(event.error instanceof ShelfleetError);
      this.#check(
        failure === event.error || (failure === undefined && mayBeSilent),
        "onCallEnd has another error",
      );
      if (event.error instanceof ShelfleetError) this.#checkError(call, event.error);
    },
  };

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  readonly #logger: Logger = {
    debug: (line) => this.#world.secrets.text("the log", line),
    info: (line) => this.#readLine(line),
    warn: (line) => this.#readLine(line),
    error: (line) => this.#readLine(line),
  };

  readonly log = logTo(this.#logger, "debug");

  /** When every program has ended. */
  end(): void {
    const isEndless = this.#world.scenario.client.ignoresAbort === true; // a transport that never settles
    for (const { event, isEnded, requests } of this.#calls.values()) {
      const hasSettled = isEndless || requests.every(({ settled }) => settled !== undefined);
      this.#check(isEnded && hasSettled, `the events of call ${event.call} do not end`);
    }
    for (const [call, attempts] of this.#logged) {
      const isWhole = isEndless || Math.max(...attempts) === attempts.length;
      const isRight = isWhole && new Set(attempts).size === attempts.length;
      this.#check(isRight, `the log has the attempts ${attempts.join()} of call ${call}`);
    }
    const { begun } = this.#world.observer;
    const settled = this.hasHooks ? this.#settled : begun;
    const isCounted = this.hasLog && (this.hasHooks || !isEndless);
    this.#check(
      !isCounted || this.#lines === settled,
      `${settled} requests have ${this.#lines} lines in the log`,
    );
  }

  #readLine(line: unknown): void {
    const [, call, attempt] = / in \d+ ms \(call (\d+), attempt (\d+)/.exec(String(line)) ?? [];
    if (call !== undefined) {
      this.#lines += 1; // drift is logged as well
      this.#logged.set(call, [...(this.#logged.get(call) ?? []), Number(attempt)]);
    }
    this.#world.secrets.text("the log", String(line));
    this.#world.observer.log(String(line));
  }

  #check(holds: boolean, problem: string): void {
    if (!holds) this.#world.observer.violate(`an event is wrong: ${problem}`);
  }

  /** The call of an event, which has the facts of the first event of the call. */
  #see(hook: Watched, event: Started & { readonly url?: string }): WatchedCall {
    const { observer, secrets } = this.#world;
    const { url = "", error, headers } = event as Partial<EventOf<"onError"> & EventOf<"onSend">>;
    secrets.text(`the event of ${hook}`, `${url} ${JSON.stringify(headers)}`);
    if (error !== undefined) secrets.value(`the event of ${hook}`, error);
    observer.log(`${hook} ${summarize(event)}`);
    const call = this.#calls.get(event.scope);
    if (call === undefined) {
      this.#check(hook === "onCall", `${hook} follows no onCall`);
      const none = { requests: [], isOpen: false, unsent: 0, isEnded: false, failure: undefined };
      return { event, startedAt: 0, readyAt: 0, ...none };
    }
    const facts = (one: Started): string => JSON.stringify([one.operation, one.call, one.method, one.route]);
    // a request that was given up may settle late
    this.#check(!call.isEnded || hook === "onSettled", `${hook} follows onCallEnd`);
    this.#check(facts(event) === facts(call.event), `${hook} has ${facts(event)}, not ${facts(call.event)}`);
    return call;
  }

  /** A request that had to wait for a slot or the package's limiter does not overtake others: retries come first. */
  #checkOrder({ call, attempt }: EventOf<"onRequest">, readyAt: number): void {
    const { clock, scenario } = this.#world;
    const { token, limiter, bucket } = scenario.client;
    if (token !== "fixed" || (limiter !== undefined && bucket !== true) || clock.now <= readyAt) return;
    const first = [...this.#calls.values()].find(
      (one) =>
        attempt === 1 && !one.isEnded && !one.isOpen && one.event.call !== call && one.readyAt < readyAt,
    );
    this.#check(first === undefined, `call ${call} overtakes call ${first?.event.call}`);
  }

  /** The limiter knew which request it let pass. */
  #checkPermit({ operation, call, attempt }: EventOf<"onRequest">): void {
    const { observer, scenario } = this.#world;
    if (scenario.client.limiter === undefined) return;
    const at = observer.permits.indexOf(JSON.stringify([operation, call, attempt]));
    this.#check(at >= 0, `the limiter let attempt ${attempt} of call ${call} not pass`);
    if (at >= 0) observer.permits.splice(at, 1);
  }

  /** The delay is that of `Retry-After`, or doubles with each failure and each refusal. */
  #checkDelay({ requests }: WatchedCall, { status, delay, method }: EventOf<"onRetry">): void {
    const isRefusal = status === 429;
    const isRejected = status === 503 && this.#world.scenario.client.rejected === "with-retry-after";
    const mayRepeat =
      isRefusal || isRejected || (method !== "POST" && (status === undefined || passing.has(status)));
    this.#check(mayRepeat, `a ${method} is sent again after ${status}`);
    const { maxDelay = 30_000, retries = 2 } = this.#world.scenario.client;
    const exchange = this.#exchangeOf(requests.at(-1)?.settled);
    const after = exchange?.retryAfter;
    const count = requests.filter(({ settled }) => (settled?.status === 429) === isRefusal).length;
    this.#check(isRefusal || count <= retries, `retry ${count} of at most ${retries}`);
    const most = Math.min(maxDelay, 300 * 2 ** (count - 1));
    const seconds = Number(after) * 1000;
    const isRight =
      after === undefined
        ? delay >= most / 2 && delay <= most
        : Number.isNaN(seconds)
          ? Math.abs(Math.max(0, Date.parse(after) - wallTime(this.#world.clock)) - delay) <= 1
          : delay === seconds;
    this.#check(isRight && delay <= maxDelay, `failure ${count} has a delay of ${delay} ms (${after})`);
  }

  #exchangeOf(settled: { readonly requestId?: string | undefined } | undefined): Exchange | undefined {
    const { exchanges } = this.#world.observer;
    return exchanges.find(({ requestId }) => requestId === settled?.requestId);
  }

  #requestOf({ requests }: WatchedCall, { attempt }: { readonly attempt: number }): WatchedRequest {
    const request = requests[attempt - 1];
    this.#check(request !== undefined, `there is no attempt ${attempt}`);
    return request ?? { sentAt: 0, waited: 0, before: 0, responded: undefined, settled: undefined };
  }

  #settle({ event: started }: WatchedCall, request: WatchedRequest, event: SettledEvent): void {
    const { clock, scenario } = this.#world;
    const { status, error, waited, duration } = event;
    this.#check(request.settled === undefined, "onSettled comes twice");
    this.#check(duration === clock.now - request.sentAt, "onSettled has a wrong duration");
    this.#check((status === undefined) !== (error === undefined), "onSettled has no result, or two");
    const isAborted = error !== undefined && !(error instanceof ShelfleetError);
    this.#check(status === request.responded || isAborted, `onSettled has status ${status}`);
    const isExact = scenario.client.token === "fixed";
    this.#check(
      isExact ? waited === request.waited : waited >= 0 && waited <= request.sentAt,
      `the request waited ${request.waited} ms, and not ${waited} ms`,
    );
    if (status !== undefined) this.#checkResponse(started, request, event);
    request.settled = event;
  }

  #checkResponse(
    { call, method }: Started,
    { before }: WatchedRequest,
    event: Pick<SettledEvent, "status" | "requestId" | "url" | "attempt">,
  ): void {
    const line = `${method} ${event.url}`;
    const equal = this.#world.observer.exchanges.slice(before).filter(({ request }) => request === line);
    const sent = traceOf({ call, attempt: event.attempt });
    // two requests of one walk may be equal
    const exchange = equal.find(({ headers }) => headers[traceHeader] === sent) ?? equal[0];
    if (exchange === undefined || exchange.fault?.kind === "redirect") return;
    this.#check(
      event.status === exchange.status,
      `status ${event.status} is not that of #${exchange.number}`,
    );
    this.#check(event.requestId === exchange.requestId, `the request ID of #${exchange.number} is wrong`);
    this.#check(exchange.headers[traceHeader] === sent, "the header of onSend was not sent");
  }

  /** An error has the facts of the last request of its call. */
  #checkError(call: WatchedCall, error: ShelfleetError): void {
    const { method, route } = call.event;
    const facts = error as ShelfleetError &
      Partial<Record<"method" | "route" | "url" | "requestId", string>> &
      Partial<Record<"status" | "attempts", number>>;
    const attempts = call.requests.length;
    const settled = call.requests.at(-1)?.settled;
    const isInvalid = error instanceof InvalidRequestError; // its URL may be unknown
    this.#check(
      error.message.startsWith(isInvalid ? `${method} ` : `${method} ${route}: `),
      `an error says: ${error.message}`,
    );
    if (facts.attempts === undefined) return;
    this.#check(
      facts.method === method && facts.route === route,
      `an error is about ${facts.method} ${facts.route}`,
    );
    this.#check(facts.attempts === attempts, `an error has ${facts.attempts} attempts, not ${attempts}`);
    if (facts.status !== undefined) {
      this.#check(facts.status === settled?.status, `an error has status ${facts.status}`);
      this.#check(facts.requestId === settled?.requestId, `an error has request ID ${facts.requestId}`);
      this.#check(facts.url === settled?.url, `an error has URL ${facts.url}`);
      this.#check(error.message.includes(`: ${facts.status} `), `an error names no status: ${error.message}`);
      const headers = (error as ShelfleetError & { headers?: Headers }).headers;
      this.#check(headers?.has("set-cookie") === false, "an error shows a cookie");
    }
    if (error instanceof UnexpectedResponseError) this.#checkLocation(error);
    if (error instanceof UnexpectedResponseError || error instanceof ApiError) this.#checkBody(error);
    this.#checkAdvice(call, error, facts.status);
    if (error instanceof ApiError) this.#checkEarlier(call, error);
    if (facts.status !== undefined) this.#checkSurrender(call, error, facts.status);
  }

  /** The target of a redirect, without the user in it. */
  #checkLocation({ status, requestId, location }: UnexpectedResponseError): void {
    const exchange = this.#world.observer.exchanges.find((one) => one.requestId === requestId);
    const expected = status < 300 ? undefined : exchange?.location?.replace(/\/\/[^/]*@/, "//");
    this.#check(location === expected, `an error has the location ${location}`);
  }

  /** The body of the response, or its beginning. */
  #checkBody({ body, requestId }: UnexpectedResponseError | ApiError): void {
    const exchange = this.#exchangeOf({ requestId });
    const isShort = this.#world.scenario.client.maxResponseBytes !== undefined;
    if (exchange === undefined || isShort || exchange.fault?.kind === "echo") return;
    const text = /^\d+ \w+ (.*)$/s.exec(exchange.response)?.[1] ?? "";
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const expected = typeof body === "string" ? text.slice(0, 1024) : JSON.stringify(parse(text));
    this.#check(sent === expected, `an error has the body ${sent}, and not ${expected}`);
  }

  /** A refused write says so if an earlier attempt may have been processed. */
  #checkEarlier({ event: { method }, requests }: WatchedCall, { status, attempts, message }: ApiError): void {
    const { token, rejected } = this.#world.scenario.client;
    if (token !== "fixed" || rejected !== undefined) return;
    const isAbout = method === "DELETE" ? status === 404 : method !== "GET" && status < 500;
    const earlier = requests.slice(0, -1).map(({ settled }) => settled?.status);
    const isUnclear = isAbout && earlier.some((before) => before !== 429);
    const text = `sent ${attempts} times; an earlier attempt`;
    this.#check(message.includes(text) === isUnclear, `after ${earlier.join()} an error says ${message}`);
    const done = method === "DELETE" ? "deleted it" : "been processed";
    if (isUnclear) this.#check(message.includes(`may have ${done}`), `an error says ${message}`);
  }

  /** A response after which the client could have sent the request again is final for a reason that the error gives. */
  #checkSurrender(
    { event: { method }, requests, unsent }: WatchedCall,
    { message }: Error,
    status: number,
  ): void {
    const { retries = 2, rejected } = this.#world.scenario.client;
    if (rejected === "neither" && method !== "GET") return; // a refused write may have been processed
    if (message.includes("not_configured")) return;
    const isRefused = status === 429;
    const mayRepeat = isRefused || (method === "GET" && [408, 500, 502, 503, 504].includes(status));
    if (!mayRepeat || retries === 0 || (!isRefused && requests.length + unsent > retries)) return;
    const isExplained = /Retry-After is|totalTimeout|drained|accepted no request/.test(message);
    this.#check(isExplained, `the client gives up without a reason: ${message}`);
    const minutes = /accepted no request for (\S+) minutes/.exec(message)?.[1] ?? "5";
    this.#check(minutes === "5", `an error names ${minutes} minutes`);
    const after = this.#exchangeOf(requests.at(-1)?.settled)?.retryAfter;
    const seconds = Number(/Retry-After is (\S+) s/.exec(message)?.[1] ?? after);
    const isSame = Number.isNaN(Number(after)) || seconds === Number(after);
    this.#check(isSame, `an error names a wait of ${seconds} s, and not ${after} s`);
  }

  /** An error says that a write may have been processed, and is not retryable, exactly then. */
  #checkAdvice({ event: { method }, requests }: WatchedCall, error: ShelfleetError, status?: number): void {
    const isUnreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(error.message);
    const isUnclear =
      !isUnreachable &&
      requests.length > 0 &&
      (status === undefined || status < 300 || status === 303 || (status >= 500 && status !== 501));
    const isSaid = error.message.includes("may have processed");
    const isPassing =
      error instanceof ConnectionError || (error instanceof TimeoutError && error.kind === "attempt");
    if (method === "GET" && isPassing) this.#check(error.retryable, "a lost read is not retryable");
    if (method === "GET") this.#check(!isSaid, `a read may have been processed: ${error.message}`);
    const isPermanent = error.message.includes("not_configured");
    const isLater = isPassing || error instanceof TimeoutError || (passing.has(status ?? 0) && !isPermanent);
    if (method === "GET")
      this.#check(error.retryable === isLater, `retryable is ${error.retryable}: ${error.message}`);
    const isUnsent = requests.length === 0 && (isPassing || error instanceof TimeoutError);
    // with the reading `neither`, a refused write may have been processed
    const isRefused = status === 429 && this.#world.scenario.client.rejected !== "neither";
    if (method === "POST")
      this.#check(
        error.retryable === (isRefused || isUnsent),
        `retryable is ${error.retryable}: ${error.message}`,
      );
    if (method !== "POST") return;
    const isUnexpected = status !== undefined && (status < 400 || status > 599);
    if (!isUnexpected) this.#check(isSaid === isUnclear, `a lost write has the message ${error.message}`);
    this.#check(!isUnclear || !error.retryable, "a write that may have been processed is retryable");
  }
}

/** Statuses after which the same request may succeed. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function traceOf({ call, attempt }: { readonly call: number; readonly attempt: number }): string {
  return `${call}.${attempt}`;
}

function summarize(event: object): string {
  return Object.entries(event)
    .map(([name, value]) => `${name}: ${["object", "function"].includes(typeof value) ? "" : String(value)}`)
    .join(", ");
}

/** The hooks of a client. Those of some scenarios fail. */
export function hooksOf(world: SimulatedWorld): { hooks: Hooks | Hooks[]; log?: Log } {
  const { scenario, observer, drifted } = world;
  const { hooks: behavior } = scenario.client;
  const onDrift: Hooks["onDrift"] = ({ operation }) => void drifted.add(operation);
  if (behavior === undefined) return { hooks: { onDrift } };
  const onHookError: Hooks["onHookError"] = (error, hook) => {
    observer.note(`onHookError ${hook}`);
    if (!(error instanceof HookError)) observer.violate(`${hook} failed with ${String(error)}`);
  };
  const watch = new EventWatch(world);
  world.watches.push(watch);
  if (behavior === "log") {
    watch.hasHooks = false;
    return { hooks: { onDrift }, log: watch.log };
  }
  const watching: Hooks = { onDrift, ...watch.hooks };
  if (behavior !== "silent") watching.onHookError = onHookError;
  const { log } = watch;
  if (behavior === "watch") return { hooks: watching, log };
  const fail = (): unknown => {
    if (behavior !== "reject") throw new HookError("a hook failed");
    return Promise.reject(new HookError("a hook failed"));
  };
  const failing = Object.fromEntries(Object.keys(watch.hooks).map((name) => [name, fail]));
  const isReadable = behavior === "reject";
  watch.hasLog = isReadable;
  return {
    hooks: [failing, watching],
    log: isReadable ? log : { writeRequest: fail, writeDrift: fail },
  };
}
