/** The simulated network: carries requests to the service and does to them what the scenario says. */
import type { Fetch } from "../../src/client/core/transport/fetch.ts";
import type { Transport, TransportResponse } from "../../src/client/core/transport/transport.ts";
import { createRandom } from "../models/random.ts";
import { type VirtualClock, wallTime } from "./clock.ts";
import { damageBody, encodeBody } from "./damage.ts";
import type { Director } from "./director.ts";
import { type Exchange, foreignOrigin, isForeign, type Observer } from "./observer.ts";
import type { Fault, Scenario } from "./scenario.ts";
import type { Service } from "./service.ts";

/** A response as it goes over the network. */
interface NetworkResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The end of the body. */
  readonly end: "whole" | "cut" | "stall";
}

interface NetworkRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  readonly redirect?: "manual" | "follow" | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Network {
  /** Requests of the history so far. */
  count = 0;
  /** Changes by other writers. */
  changes = 0;
  /** The rest of a chain of redirects, by its call. */
  readonly #hops = new Map<string, Fault>();
  readonly #scenario: Scenario;
  readonly #clock: VirtualClock;
  readonly #service: Service;
  readonly #observer: Observer;
  readonly #director: Director;
  /** The replies of each list, by its walk and its filters. */
  readonly #pages = new Map<string, { readonly response: NetworkResponse; readonly exchange: Exchange }[]>();

  constructor(
    scenario: Scenario,
    made: {
      readonly clock: VirtualClock;
      readonly service: Service;
      readonly observer: Observer;
      readonly director: Director;
    },
  ) {
    this.#scenario = scenario;
    this.#clock = made.clock;
    this.#service = made.service;
    this.#observer = made.observer;
    this.#director = made.director;
  }

  readonly transport: Transport = async (request): Promise<TransportResponse> => {
    const { response, exchange } = await this.#exchange(request);
    const read = (limit: number) => this.#read(response, exchange, request.signal, limit);
    return { status: response.status, headers: new Headers(response.headers), read };
  };

  readonly fetch: Fetch = async (url, init) => {
    const { method, headers, body, signal, redirect } = init;
    const request = { method, url, headers, body, signal, redirect };
    const { response, exchange } = await this.#exchange(request);
    const { status } = response;
    if (status === 0) return Response.error();
    const content = [204, 205, 304].includes(status)
      ? null
      : this.#stream(response, exchange, request.signal);
    if (content === null) exchange.end("whole", response.body);
    return new Response(content, { status, headers: response.headers });
  };

  /** A walk continues after the page with this body: the following pages were read by a client that is gone. */
  rewind(walk: string, body: string): void {
    for (const [list, pages] of this.#pages) {
      if (!list.startsWith(`${walk} `)) continue;
      const delivered = pages.findIndex(({ response }) => decoder.decode(response.body) === body);
      this.#pages.set(list, pages.slice(0, delivered + 1));
    }
  }

  /** Sends a request; resolves with the head of its response. */
  #exchange(request: NetworkRequest): Promise<{ response: NetworkResponse; exchange: Exchange }> {
    this.count += 1;
    const number = this.count;
    const { method, url } = request;
    const call = this.#observer.callOf(request);
    const list = listOf(request, call, number);
    const mayRepeat = this.#lastOf(list) !== undefined;
    const fault = this.#hops.get(call) ?? this.#director.fault({ number, method, url, mayRepeat });
    const random = createRandom(this.#scenario.seed ^ Math.imul(number, 0x9e3779b1));
    const up = random.integer(1, 20);
    const down = random.integer(1, 20) + (fault?.kind === "slow" ? fault.ms : 0);
    const exchange = this.#observer.begin(number, request, fault);
    exchange.list = list;
    return new Promise((resolve, reject) => {
      const ignoresAbort = this.#scenario.client.ignoresAbort === true;
      let isGone = request.signal.aborted;
      const abort = (): void => {
        isGone = true;
        exchange.abort();
        if (!ignoresAbort) reject(request.signal.reason as Error); // like the platform's fetch
      };
      request.signal.addEventListener("abort", abort, { once: true });
      const finish = (settled: () => void): void => {
        request.signal.removeEventListener("abort", abort);
        settled();
      };
      this.#clock.after(up, () => {
        // what was sent before the abort may still arrive
        if (isGone && number % 2 === 0 && !ignoresAbort) return;
        const response = this.#act(request, exchange, number, fault);
        if (response === undefined) return;
        const { date } = this.#scenario.world;
        if (!(response instanceof Error)) label(response, exchange, date);
        this.#observer.see(
          exchange,
          response instanceof Error
            ? "reset"
            : `${response.status} ${response.end} ${decoder.decode(response.body)}`,
        );
        this.#director.respond?.();
        this.#clock.after(down, () => {
          if (isGone && !ignoresAbort) return;
          finish(() => {
            if (!(response instanceof Error) && response.status === 0) exchange.end("closed"); // it has no body
            if (response instanceof Error) {
              exchange.end("failed");
              reject(response);
            } else resolve({ response, exchange });
          });
        });
      });
    });
  }

  /** Decides the effect of a request and its reply; undefined for no reply at all. */
  #act(
    request: NetworkRequest,
    exchange: Exchange,
    number: number,
    fault: Fault | undefined,
  ): NetworkResponse | Error | undefined {
    const change = this.#director.change(number);
    if (change !== undefined) {
      this.changes += 1;
      this.#service.change(change, new URL(request.url));
    }
    if (fault === undefined || !(fault.kind in preemptive)) return this.#afterwards(request, exchange, fault);
    switch (fault.kind) {
      case "reset":
        return connectionReset();
      case "refuse":
        return connectionReset(fault.code);
      case "stall":
        if (fault.acts) this.#ask(request, exchange);
        return undefined;
      case "status":
        if (fault.acts) this.#ask(request, exchange);
        return this.#status(fault);
      case "redirect":
        return this.#redirect(request, exchange, fault);
      case "echo": {
        const { authorization = "" } = request.headers;
        const sent = JSON.stringify(request.headers);
        return replyOf(
          500,
          { "x-echo": authorization, [authorization.replace("Bearer ", "") || "x-none"]: "" },
          number % 2 === 0 ? sent : `Echo: ${sent}`,
        );
      }
      case "repeat":
        return this.#lastOf(exchange.list) ?? this.#ask(request, exchange);
      default:
        return undefined;
    }
  }

  /** The service acts, and its response may be damaged. */
  #afterwards(
    request: NetworkRequest,
    exchange: Exchange,
    fault: Fault | undefined,
  ): NetworkResponse | Error {
    const last = this.#lastOf(exchange.list);
    const response = this.#ask(request, exchange, fault);
    switch (fault?.kind) {
      case "mixed":
        return last === undefined ? response : withCursorOf(response, last);
      case "lose":
        return connectionReset();
      case "cut":
        return { ...response, end: "cut" };
      case "stall-body":
        return { ...response, end: "stall" };
      case "short":
        return { ...response, body: response.body.slice(0, Math.floor(response.body.length / 2)) };
      case "html":
        return replyOf(200, { "content-type": "text/html" }, "<html><body>Sign in</body></html>");
      case "error-body":
        return replyOf(
          200,
          {},
          JSON.stringify({ error: { code: "unavailable", message: "Try again later" } }),
        );
      case "empty":
        return { ...response, body: new Uint8Array() };
      case "wrong":
      case "property":
      case "twice":
      case "copied":
      case "no-items":
      case "cased":
      case "partial":
      case "contradict": {
        const body = encodeBody(damageBody(decoder.decode(response.body), fault));
        exchange.isDamaged = response.status < 300 && Buffer.compare(body, response.body) !== 0;
        return { ...response, body };
      }
      default:
        return response;
    }
  }

  #ask(request: NetworkRequest, exchange: Exchange, fault?: Fault): NetworkResponse {
    const url = new URL(request.url);
    const isOther = isForeign(request.url);
    const authorization = `Bearer ${this.#service.token}`; // the other origin serves a public copy
    const { status, headers, body } = this.#service.handle({
      method: request.method,
      target: (isOther ? url.pathname.replace(/^\/[^/]*/, "") : url.pathname) + url.search,
      headers: isOther ? { ...request.headers, authorization } : request.headers,
      body: request.body ?? "",
      call: exchange.call,
      fault: fault?.kind,
    });
    exchange.serve(status);
    const response = replyOf(status, headers, body);
    if (status === 200) this.#keep(response, exchange);
    return response;
  }

  #keep(response: NetworkResponse, exchange: Exchange): void {
    const pages = this.#pages.get(exchange.list) ?? [];
    pages.push({ response, exchange });
    this.#pages.set(exchange.list, pages);
  }

  /** The last reply that the client was given whole: it cannot recognize one that it never saw. */
  #lastOf(list: string): NetworkResponse | undefined {
    const last = this.#pages.get(list)?.findLast(({ exchange }) => exchange.hasResponse)?.response;
    return last && { ...last, headers: { ...last.headers } };
  }

  #status({ status, code, retryAfter }: Extract<Fault, { kind: "status" }>): NetworkResponse {
    const body = code === undefined ? "" : JSON.stringify({ error: { code, message: "No" } });
    if (retryAfter === undefined) return replyOf(status, {}, body);
    const { seconds, date } = retryAfter;
    const at = new Date(wallTime(this.#clock) + seconds * 1000).toUTCString();
    return replyOf(status, { "retry-after": date ? at : String(seconds) }, "");
  }

  /** The path at the other origin begins with the name of the call, whose header is not sent there. */
  #redirect(
    { url }: NetworkRequest,
    exchange: Exchange,
    fault: Extract<Fault, { kind: "redirect" }>,
  ): NetworkResponse {
    const { call } = exchange;
    const { status, foreign, host, location, hops = 1 } = fault;
    if (this.#scenario.client.isBrowser === true) {
      exchange.redirect = url;
      return replyOf(0, {}, "");
    }
    this.#hops.delete(call);
    if (hops > 1) this.#hops.set(call, { ...fault, hops: hops - 1 });
    if (location === null) return replyOf(status, {}, "");
    const { pathname, search, origin } = new URL(url);
    const other = host === undefined ? foreignOrigin : `https://${host}`;
    const base = foreign ? `${other}/${call}` : origin;
    const target = location ?? "{origin}{path}";
    const path = `${pathname}${search}`;
    const filled = target
      .replace("{origin}", base)
      .replace("{host}", new URL(origin).host)
      .replace("{path}", path)
      .replace("{pathname}", pathname);
    exchange.redirect = URL.parse(filled, url)?.href;
    return replyOf(status, { location: filled }, "");
  }

  async #read(
    response: NetworkResponse,
    exchange: Exchange,
    signal: AbortSignal,
    limit: number,
  ): Promise<{ bytes: Uint8Array; complete: boolean }> {
    if (limit === 0) {
      exchange.end("closed");
      return { bytes: new Uint8Array(), complete: false };
    }
    const complete = response.body.length <= limit;
    const bytes = complete ? response.body : response.body.subarray(0, limit);
    if (!complete && response.end !== "whole") {
      exchange.end("closed"); // the limit is reached before the end that does not come
      return { bytes, complete };
    }
    await this.#deliver(response, exchange, signal);
    exchange.end(complete ? "whole" : "closed", response.body);
    return { bytes, complete };
  }

  /** Waits for the body; rejects where it does not arrive. */
  #deliver({ end }: NetworkResponse, exchange: Exchange, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const ignoresAbort = this.#scenario.client.ignoresAbort === true;
      const abort = (): void => {
        exchange.abort();
        if (!ignoresAbort) reject(signal.reason as Error); // like the platform's fetch
      };
      if (signal.aborted) abort();
      if (signal.aborted && !ignoresAbort) return;
      signal.addEventListener("abort", abort, { once: true });
      if (end === "stall") return;
      this.#clock.after(1, () => {
        signal.removeEventListener("abort", abort);
        if (end === "whole") return resolve();
        exchange.end("failed");
        reject(connectionReset());
      });
    });
  }

  /** The body as a stream, as the platform's `fetch` gives it. */
  #stream(
    response: NetworkResponse,
    exchange: Exchange,
    signal: AbortSignal,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isSent = false;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          if (!isSent && response.body.length > 0) {
            isSent = true;
            const half = Math.ceil(response.body.length / 2);
            controller.enqueue(response.body.slice(0, half));
            if (half < response.body.length) controller.enqueue(response.body.slice(half));
            return;
          }
          await this.#deliver(response, exchange, signal);
          exchange.end("whole", response.body);
          controller.close();
        },
        cancel: () => exchange.end("closed"),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Adds the headers that each response has. */
function label({ status, headers }: NetworkResponse, exchange: Exchange, date?: number): void {
  if (date !== undefined) headers["date"] = new Date(date).toUTCString();
  exchange.status = status;
  exchange.location = headers["location"];
  exchange.retryAfter = headers["retry-after"];
  Object.assign(headers, { "x-request-id": exchange.requestId, "set-cookie": "session=1" });
}

/** A walk and its filters: what a server that ignores cursors and page numbers would not tell apart. */
function listOf({ method, url }: NetworkRequest, call: string, number: number): string {
  if (method !== "GET" || !call.startsWith("walk")) return String(number);
  const rest = url.replace(/(?<=[?&])(?:cursor|page)=[^&]*&?/, "").replace(/[?&]$/, "");
  return `${call} ${rest}`;
}

const preemptive = {
  refuse: true,
  reset: true,
  stall: true,
  status: true,
  redirect: true,
  echo: true,
  repeat: true,
};

function replyOf(status: number, headers: Readonly<Record<string, string>>, body: string): NetworkResponse {
  return { status, headers: { ...headers }, body: encoder.encode(body), end: "whole" };
}

/** A page with the items of an earlier one; its cursor leads behind the items that it lacks. */
function withCursorOf(own: NetworkResponse, earlier: NetworkResponse): NetworkResponse {
  const [page, { nextCursor }] = [earlier, own].map(({ body }) => readPage(decoder.decode(body))) as [
    Page,
    Page,
  ];
  if (nextCursor === undefined || page.nextCursor === undefined) return own;
  return { ...own, body: encodeBody(JSON.stringify({ ...page, nextCursor })) };
}

interface Page {
  readonly nextCursor?: unknown;
}

function readPage(text: string): Page {
  return text.startsWith("{") ? (JSON.parse(text) as Page) : {};
}

/** The error of the platform: a `TypeError` whose cause has the reason. */
function connectionReset(code = "ECONNRESET"): Error {
  const cause = Object.assign(new Error(`read ${code}`), { code });
  return new TypeError("fetch failed", { cause });
}
