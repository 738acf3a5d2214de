/** Watches requests and calls of one history: writes the trace and notices what must not happen. */
import type { VirtualClock } from "./clock.ts";
import type { Fault, Scenario } from "./scenario.ts";

/** The header that says which call or walk a request belongs to. */
export const callHeader = "x-call";

export const origins = {
  store: "https://store.example",
  fleet: "https://fleet.example/api/third-party/v1",
} as const;

/** Redirects lead here; it must never see a token or a header of the client. */
export const foreignOrigin = "https://elsewhere.example";

/** Hosts that look like those of a private network. */
const publicHosts = [
  "100.63.0.1",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "169.253.0.1",
  "192.167.0.1",
  "11.0.0.1",
  "11.100.0.1",
  "99.64.0.1",
  "126.0.0.1",
  "168.254.0.1",
  "171.16.0.1",
  "191.168.0.1",
];
export const foreignOrigins = [
  foreignOrigin,
  ...publicHosts.map((host) => `https://${host}`),
  "https://[2001:db8::1]",
  "https://[2001:db8::fd00:1]",
  "https://[2001:2002:7f00:1::1]",
  "https://[2001:db8::ffff:a00:1]",
  "https://[1:64:ff9b::7f00:1]",
  "https://[::7f00:1:1]",
  "https://[64:ff9b::7f00:1:1]",
];

/** Whether a request goes to another origin, where redirects lead. */
export function isForeign(url: string): boolean {
  return foreignOrigins.some((origin) => url.startsWith(origin));
}

/** A call or walk of a program, as the observer knows it. */
export interface CallRecord {
  readonly name: string;
  readonly startedAt: number;
  /** Whether its requests may be sent again after they may have been processed. */
  readonly repeatable: boolean;
  /** Requests that may be open at the same time. */
  readonly parallel: number;
  /** Each of its requests has the whole of `totalTimeout`. */
  readonly isWalk: boolean;
  /** The entity that it changes, if it waits for earlier changes of it. */
  readonly changes?: string | undefined;
  sent: number;
  open: number;
  /** When the client has to have stopped sending. */
  endedAt: number | undefined;
  /** The end of the previous request, for the rules about sending again. */
  last: Exchange | undefined;
  /** The body that the client was given last. */
  body: Uint8Array | undefined;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  readonly redirect?: "manual" | "follow" | undefined;
}

type Ending = "whole" | "failed" | "closed";

/** One request and what became of it. */
export class Exchange {
  readonly number: number;
  readonly call: string;
  readonly fault: Fault | undefined;
  readonly openedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The request as a line of text, and the response that went over the network. */
  readonly request: string;
  response = "none";
  /** The status and the request ID of the response that went over the network. */
  status: number | undefined;
  readonly requestId: string;
  /** The list that it reads, for the network. */
  list = "";
  location: string | undefined;
  retryAfter: string | undefined;
  /** The response has a wrong property. */
  isDamaged = false;
  /** The response is a redirect that leads here, and that no request has followed yet. */
  redirect: string | undefined;
  /** The client was given the whole response. */
  hasResponse = false;
  /** The status that the service gave; undefined where the request did not reach it. */
  served: number | undefined;
  #isOpen = true;
  readonly #close: (how: string, body: Uint8Array | undefined) => void;

  constructor(
    facts: Pick<Exchange, "number" | "call" | "fault" | "openedAt" | "request" | "headers" | "body">,
    close: (how: string, body: Uint8Array | undefined) => void,
  ) {
    this.number = facts.number;
    this.call = facts.call;
    this.fault = facts.fault;
    this.openedAt = facts.openedAt;
    this.request = facts.request;
    this.requestId = `request-${facts.number}`;
    this.headers = facts.headers;
    this.body = facts.body;
    this.#close = close;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  serve(status: number): void {
    this.served = status;
  }

  end(how: Ending, body?: Uint8Array): void {
    this.hasResponse = this.#isOpen && how === "whole";
    this.#finish(how, body);
  }

  abort(): void {
    this.#finish("aborted", undefined);
  }

  #finish(how: string, body: Uint8Array | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#close(how, body);
  }
}

export class Observer {
  readonly violations: string[] = [];
  readonly trace: string[] = [];
  /** Requests, responses and notes, as far as a program and its client see them, each with the number of its request. */
  readonly #seen: { readonly text: string; readonly of: number | undefined }[] = [];
  readonly calls = new Map<string, CallRecord>();
  readonly exchanges: Exchange[] = [];
  /** The number of requests that the limiter let pass. */
  granted = 0;
  /** The number of the next request when the client had drained. */
  drainedAt: number | undefined;
  /** The requests that the limiter let pass and that were not sent yet, as events describe them. */
  readonly permits: string[] = [];
  /** Requests that the client itself began: those of redirects are not counted. */
  begun = 0;
  readonly #scenario: Scenario;
  readonly #clock: VirtualClock;

  constructor(scenario: Scenario, clock: VirtualClock) {
    this.#scenario = scenario;
    this.#clock = clock;
  }

  /** Whole responses are validated. */
  get isStrict(): boolean {
    return this.#scenario.client.validate === true;
  }

  /** A response has a property with another value: only what holds for any response is checked. */
  get isGarbled(): boolean {
    return Object.values(this.#scenario.faults).some(({ kind }) => kind === "property");
  }

  note(text: string, of?: number): void {
    this.#seen.push({ text, of });
    this.log(text);
  }

  /** A line that only the trace has. */
  log(text: string): void {
    this.trace.push(`${this.#clock.now} ${text}`);
  }

  get visible(): readonly string[] {
    return this.#seen.map(({ text }) => text);
  }

  /** The part of it that a client remembers: of reads that failed and were sent again only their number, except where limits of time and number count. */
  get remembered(): readonly string[] {
    const { programs, client } = this.#scenario;
    const isLimited = client.limiter !== undefined;
    const isSteady = programs.flat().every((step) => step.abort === undefined && isReading(step.do));
    if (programs.length > 1 || isLimited || !isSteady) return this.visible;
    const repeated = new Set<number | undefined>();
    for (const [at, one] of this.exchanges.entries())
      if (hasFailed(one) && isSameRead(one, this.exchanges[at + 1])) repeated.add(one.number);
    const rest = this.#seen.flatMap(({ text, of }) => (repeated.has(of) ? [] : [text]));
    return [String(repeated.size), ...rest];
  }

  /** The texts that the program and the service have given to the client. */
  get everything(): string {
    return JSON.stringify([this.#scenario, this.visible]);
  }

  /** A response that a client sees, and that the trace does not show. */
  see(exchange: Exchange, response: string): void {
    exchange.response = response;
    this.#seen.push({ text: response, of: exchange.number });
  }

  violate(text: string): void {
    this.violations.push(text);
    this.note(`VIOLATION ${text}`);
  }

  start(name: string, facts: Pick<CallRecord, "repeatable" | "parallel" | "isWalk" | "changes">): CallRecord {
    const startedAt = this.#clock.now;
    const empty = { sent: 0, open: 0, endedAt: undefined, last: undefined, body: undefined };
    const record: CallRecord = { name, startedAt, ...facts, ...empty };
    this.calls.set(name, record);
    this.note(`start ${name}`);
    return record;
  }

  /** When a call could begin: after all earlier changes of the same. */
  readyAt(record: CallRecord): number {
    const all = [...this.calls.values()];
    const same = all.slice(0, all.indexOf(record)).filter(({ changes }) => changes === record.changes);
    const ends = record.changes === undefined ? [] : same.map(({ endedAt = 0 }) => endedAt);
    return Math.max(record.startedAt, ...ends);
  }

  /** From now on the call must send nothing. */
  finish(record: CallRecord): void {
    record.endedAt ??= this.#clock.now;
  }

  /** The call or walk that a request belongs to. */
  callOf({ url, headers }: Pick<SentRequest, "url" | "headers">): string {
    // a browser follows a redirect without the client's own headers
    const last = this.#scenario.client.isBrowser === true ? this.exchanges.at(-1)?.call : undefined;
    return (isForeign(url) ? new URL(url).pathname.split("/")[1] : headers[callHeader]) ?? last ?? "";
  }

  begin(number: number, request: SentRequest, fault: Fault | undefined): Exchange {
    const { method, url, headers, redirect } = request;
    const isOther = isForeign(url);
    const call = this.callOf(request);
    this.#seen.push({ text: `${method} ${url}`, of: number });
    this.trace.push(
      `${this.#clock.now} #${number} ${call} ${method} ${url}${fault === undefined ? "" : ` (${fault.kind})`}`,
    );
    if (isOther && Object.keys(headers).some((name) => name !== "accept"))
      this.violate(`#${number} another origin was sent ${Object.keys(headers).join(", ")}`);
    if (redirect === "follow" && Object.keys(headers).toSorted().join() !== "accept,authorization")
      this.violate(
        `#${number} a browser that follows redirects was given ${Object.keys(headers).join(", ")}`,
      );
    if (isOther && method !== "GET") this.violate(`#${number} follows the redirect of a write`);
    if (!isOther && !url.startsWith(origins[this.#scenario.api]))
      this.violate(`#${number} a request went to ${new URL(url).host}`);
    if (this.drainedAt !== undefined) this.violate(`#${number} is sent by a drained client`);
    const record = this.calls.get(call);
    const facts = { number, call, fault, openedAt: this.#clock.now, request: `${method} ${url}` };
    const content = { headers: { ...headers }, body: request.body };
    const exchange = new Exchange({ ...facts, ...content }, (how, body) =>
      this.#close(exchange, record, how, body),
    );
    if (record !== undefined) this.#checkBegin(record, exchange);
    this.exchanges.push(exchange);
    this.#checkConcurrency();
    return exchange;
  }

  /** Each client has separate slots: a resumed walk has another client. */
  #checkConcurrency(): void {
    const { client, programs } = this.#scenario;
    const { maxConcurrency = Infinity } = client;
    const isResumed = programs
      .flat()
      .some((step) => (step.do === "walk" ? step.kills !== undefined : step.do === "pull"));
    if (isResumed || maxConcurrency === Infinity) return;
    const open = this.leftOpen().length;
    if (open > maxConcurrency)
      this.violate(`${open} requests are open, at most ${maxConcurrency} are allowed`);
  }

  #checkBegin(record: CallRecord, exchange: Exchange): void {
    const { name, last } = record;
    if (record.endedAt !== undefined) this.violate(`${name} sent #${exchange.number} after it had ended`);
    const moved = last?.fault?.kind === "redirect" && (last.fault.hops ?? 1) === 1 ? last.fault : undefined;
    if (moved?.isForbidden === true && !record.isWalk)
      this.violate(`#${exchange.number} follows a redirect to ${moved.location ?? moved.host}`);
    if (!this.#followsRedirect(exchange)) {
      this.begun += 1;
      if (this.#scenario.client.limiter !== undefined && this.begun > this.granted)
        this.violate(`${name} sent #${exchange.number} without the limiter`);
    }
    if (last !== undefined && !record.isWalk) this.#checkRepeat(record, last, exchange);
    record.sent += 1;
    record.open += 1;
    if (record.open > record.parallel)
      this.violate(`${name} has ${record.open} open requests, at most ${record.parallel} are wanted`);
    record.last = exchange;
  }

  /** Other requests of a walk may come between a redirect and the request that follows it. */
  #followsRedirect({ call, request }: Exchange): boolean {
    const followed = this.exchanges.find(
      (one) => one.call === call && !one.isOpen && `GET ${one.redirect}` === request,
    );
    if (followed !== undefined) followed.redirect = undefined;
    return followed !== undefined;
  }

  /** Whether a request may be sent again, from what the client can know. */
  #checkRepeat({ name, repeatable, sent }: CallRecord, last: Exchange, next: Exchange): void {
    const { fault, served } = last;
    const { rejected = "only-429" } = this.#scenario.client;
    const isKnown = fault?.kind === "status" && (isRefusal(fault) || fault.status === 503);
    const isOther = rejected === "with-retry-after" && isKnown && fault.retryAfter !== undefined;
    const isRefused =
      served === 401 ||
      (fault?.kind === "status" && fault.status === 401) ||
      isOther ||
      (rejected !== "neither" && (served === 429 || (fault?.kind === "status" && isRefusal(fault))));
    if (!repeatable && !isRefused)
      this.violate(`${name} sent #${next.number} although #${last.number} may have been processed`);
    const isFinal = last.hasResponse && fault?.kind === "status" && fault.code === "not_configured";
    if (isFinal) this.violate(`${name} sent #${next.number} although the service is not configured`);
    if (last.isOpen) this.violate(`${name} sent #${next.number} while #${last.number} was open`);
    const { retries = 2 } = this.#scenario.client;
    const maximum = (retries + 1) * (this.#scenario.client.token === "fixed" ? 1 : 2) * 6;
    const mayWait = this.#scenario.world.accepts === 0;
    if (sent >= maximum && !mayWait) this.violate(`${name} sent ${sent + 1} requests`);
    if (
      !last.hasResponse ||
      fault?.kind !== "status" ||
      fault.retryAfter === undefined ||
      !waits.has(fault.status)
    )
      return;
    // dates have whole seconds, and the fault was served a little after it was sent
    const minimum = last.openedAt + fault.retryAfter.seconds * 1000 - (fault.retryAfter.date ? 1000 : 0);
    if (next.openedAt < minimum) this.violate(`${name} sent #${next.number} before its Retry-After`);
  }

  #close(exchange: Exchange, record: CallRecord | undefined, how: string, body?: Uint8Array): void {
    const { number, openedAt } = exchange;
    this.log(`#${number} ${how}`);
    this.#seen.push({ text: how, of: number });
    const { timeout = 30_000 } = this.#scenario.client;
    if (this.#clock.now > openedAt + timeout + 1)
      this.violate(`#${number} was open for ${this.#clock.now - openedAt} ms, its deadline is ${timeout}`);
    if (record === undefined) return;
    record.open -= 1;
    if (body !== undefined) record.body = body;
  }

  /** Requests that nobody ended. */
  leftOpen(): Exchange[] {
    return this.exchanges.filter(({ isOpen }) => isOpen);
  }
}

function isReading(kind: Scenario["programs"][number][number]["do"]): boolean {
  return kind === "walk" || kind === "pull" || kind === "mirror";
}

function hasFailed({ hasResponse, status = 0 }: Exchange): boolean {
  return !hasResponse || waits.has(status);
}

function isSameRead(one: Exchange, next: Exchange | undefined): boolean {
  return one.request.startsWith("GET ") && one.call === next?.call && one.request === next.request;
}

const waits = new Set([408, 429, 500, 502, 503, 504]);

/** The service said that it did not process the request. */
function isRefusal({ status }: Extract<Fault, { kind: "status" }>): boolean {
  return status === 429;
}
