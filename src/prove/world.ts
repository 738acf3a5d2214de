import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import {
  createReferenceServer,
  type OperationId,
  type ReferenceServer,
  type ReferenceServerOptions,
  type ReferenceState,
  type RequestView,
  type SentResponse,
} from "../mock/index.ts";
import { serve, type ServedReference } from "../mock/node.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { listenOn } from "../wire/address.ts";
import { EARLY, type FaultTarget, type OtherWriter } from "./faults.ts";
import { OpenResponses } from "./open-responses.ts";
import type { Plan } from "./row.ts";
import type { TaskInput } from "./tasks/index.ts";

/** More equal requests than that, without a new response in between, are an endless loop. */
const EQUAL_REQUESTS = 30;

/** So many equal requests or responses at the time limit are an endless loop on a slow machine: a program repeats a few. */
const EQUAL_AT_THE_LIMIT = 10;

/** More requests than that without a new response are an endless loop: a program may read the details of each row, twice. */
const IDLE_REQUESTS = 1000;

/** More repetitions of one rejected request before its time than that are too many: a timer may be early. */
const HASTY_REPETITIONS = 1;

/** More requests than that, while the service tells the program to wait, are too many. */
const HASTY_REQUESTS = 10;

/** A reference server on a port of this machine, in which one scenario takes place. */
export class World implements FaultTarget {
  readonly plan: Plan;
  readonly ref: ReferenceServer;
  readonly task: TaskInput;
  /** The operation that the task needs. */
  readonly operation: OperationId;
  storeUrl = "";
  fleetUrl = "";
  /** The URL of another host, which records what it receives. */
  elsewhereUrl = "";
  token: string;
  key: string;
  /** Every token and key that was valid. */
  readonly secrets: string[];
  /** The IDs of the overrides of the fault. */
  faultIds: readonly number[] = [];
  /** The requests to another host, to which a redirect leads. */
  readonly elsewhere: { readonly head: string; readonly body: string }[] = [];
  /** The URLs, queries and bodies of all requests, which must not contain a secret. */
  readonly requests = new Set<string>();
  /** What other writers have changed. */
  readonly writes: OtherWriter[] = [];
  /** The times of the requests of the operation. */
  readonly times: number[] = [];
  /** The first success of the operation. */
  first: JsonObject | undefined;
  /** Whether the program waits for a response that does not come, or sends the same again and again. */
  isHung = false;
  /** Whether the program was stopped at the time limit, and neither of both was the reason. */
  isTooSlow = false;
  /** Whether the program was killed as the scenario says. */
  isKilled = false;
  readonly #options: ReferenceServerOptions;
  #served: ServedReference | undefined;
  #other: Server | undefined;
  /** Is called when the token or key was replaced. */
  onRotate: (() => void) | undefined;
  /** What stops each of the runs. */
  readonly #running = new Set<(reason: string) => void>();
  #lastRequest = 0;
  /** What the program was sent, and the requests since there was something new in it. */
  readonly #seen = new Set<string>();
  readonly #open = new OpenResponses();
  #idle = 0;
  readonly #equal = new Map<string, number>();
  /** How often each success came since there was something new: a loop over pages may send other requests each time. */
  readonly #equalResponses = new Map<string, number>();
  #waitUntil = 0;
  /** How often each rejected request was repeated before its time. */
  readonly #repeated = new Map<string, number>();
  #hasty = 0;
  /** Makes every request fail after a run was stopped or has ended. */
  #blockade: { remove(): void } | undefined;

  constructor(plan: Plan) {
    const { api, task, taskName: name, data, readings } = plan;
    this.plan = plan;
    this.operation = task.operation;
    this.task = structuredClone({ name, api, words: task.words, data: { ...task.data, ...data } });
    const { store, fleet } = plan.seed ?? {};
    this.#options = {
      ...task.seed,
      store: { ...task.seed.store, ...store },
      fleet: { ...task.seed.fleet, ...fleet },
      readings,
    };
    this.ref = createReferenceServer(this.#options);
    this.token = this.ref.token;
    this.key = this.ref.keys.find(({ key }) => !key.includes("_test_"))?.key ?? "";
    this.secrets = [this.token, this.key];
  }

  /** Opens the ports, and declares the faults. */
  async open(): Promise<void> {
    const { ref, plan } = this;
    this.#other = createServer((request, response) => {
      const head = `${request.url} ${JSON.stringify(request.headers)}`;
      void text(request).then(
        (body) => this.elsewhere.push({ head, body }),
        () => undefined,
      );
      response.setHeader("content-type", "application/json").end('{"items": [], "data": []}');
    });
    this.elsewhereUrl = `http://localhost:${await listenOn(this.#other, 0, "127.0.0.1")}`;
    // the oldest change is the last one: it sees the response as it is sent
    ref.on("*").change((response, request) => this.#note(response, request));
    this.faultIds = plan.fault?.arm(this) ?? [];
    ref.on("*", { when: (request) => this.#observe(request) }).delay(0);
    this.#served = await serve(ref);
    this.storeUrl = this.#served.storeUrl;
    this.fleetUrl = this.#served.fleetUrl;
    subscribe("http.server.request.start", this.#receive);
    this.#open.start();
  }

  async close(): Promise<void> {
    unsubscribe("http.server.request.start", this.#receive);
    this.#open.stop();
    this.#other?.close();
    this.#other?.closeAllConnections();
    await this.#served?.close();
  }

  /**
   * Begins a run of the program, which is stopped at the time limit, in an endless loop, or because the scenario kills it.
   * Returns a function that ends the run: what the program has left running gets no response, and changes nothing.
   */
  startRun(timeout: number, stop: (reason: string) => void): () => void {
    this.#idle = 0;
    if (this.#running.size === 0) this.#open.beginRun();
    this.#running.add(stop);
    this.#blockade?.remove();
    this.#blockade = undefined;
    const timer = setTimeout(() => {
      stop(`stopped at the time limit, ${this.#noteTimeout()}`);
    }, timeout);
    return () => {
      clearTimeout(timer);
      if (!this.#running.delete(stop) || this.#running.size > 0) return;
      this.#blockade?.remove();
      this.#blockade = this.ref.on("*").fault("reset", { at: "before" });
    };
  }

  /** Every HTTP server of this process announces its requests here; those to a path of no operation are seen nowhere else. */
  readonly #receive = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }; // of this channel
    if (request.socket.localPort !== this.#served?.port) return;
    this.requests.add(request.url ?? "");
    this.#lastRequest = Date.now();
    this.#open.add(response);
  };

  #observe(request: RequestView): false {
    const key = keyOf(request);
    const count = (this.#equal.get(key) ?? 0) + 1;
    this.#equal.set(key, count);
    this.requests.add(key);
    this.#idle += 1;
    if (this.isWaiting) {
      const repeated = this.#repeated.get(key);
      if (repeated !== undefined) this.#repeated.set(key, repeated + 1);
      this.#hasty += 1;
    }
    if (request.operation === this.operation) this.times.push(Date.now());
    const isLoop = count > EQUAL_REQUESTS || this.#idle > IDLE_REQUESTS;
    if (isLoop) this.isHung = true;
    const { runs } = this.plan;
    const isKill = typeof runs === "object" && !this.isKilled && this.times.length >= runs.killedAt;
    if (isKill) this.isKilled = true;
    if (isLoop || isKill) this.#stop();
    return false;
  }

  #stop(): void {
    if (this.#blockade !== undefined) return;
    this.#blockade = this.ref.on("*").fault("reset", { at: "after" });
    for (const stop of this.#running) stop("stopped by the scenario");
  }

  #note({ status, headers, body }: SentResponse, request: RequestView): undefined {
    if (status < 300 && isObject(body) && request.operation === this.operation) this.first ??= body;
    const { items, data, photos } = objectOf(body);
    const content = JSON.stringify(items ?? data ?? photos ?? body) ?? "";
    if (!this.#seen.has(content)) {
      this.#seen.add(content);
      this.#equal.clear();
      this.#equalResponses.clear();
      this.#idle = 0;
    }
    if (status < 300) this.#equalResponses.set(content, (this.#equalResponses.get(content) ?? 0) + 1);
    const { "retry-after": retryAfter, date } = headers;
    if (![403, 429, 503].includes(status) || retryAfter === undefined) return;
    const now = date === undefined ? Date.now() : Date.parse(date);
    const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
    this.#waitUntil = Math.max(this.#waitUntil, Date.now() + (wait || 0) - EARLY);
    const key = keyOf(request);
    this.#repeated.set(key, this.#repeated.get(key) ?? 0);
  }

  /**
   * Notes why a run is stopped at its time limit, and returns how long ago the last request was. A program that waits as long as it
   * was told to has not failed.
   */
  #noteTimeout(): string {
    const seconds = ((Date.now() - this.#lastRequest) / 1000).toFixed(1);
    const last = this.requests.size === 0 ? "without a request" : `${seconds} s after its last request`;
    if (this.isWaiting) return last;
    const most = Math.max(0, ...this.#equal.values(), ...this.#equalResponses.values());
    const isRepeating = most >= EQUAL_AT_THE_LIMIT;
    if (isRepeating || this.#open.hasHeld) this.isHung = true;
    else this.isTooSlow = true;
    return last;
  }

  /** Changes the data as another writer. */
  write(change: OtherWriter): undefined {
    this.writes.push(change);
    change(this.ref.state);
  }

  /** Makes the token or key invalid, and gives the program a new one if `isReplaced`. */
  rotate(isReplaced: boolean): true {
    const { credentials } = this.ref;
    const isStore = this.plan.api === "store";
    const old = isStore ? this.token : this.key;
    if (isReplaced && isStore) this.token = credentials.addToken().token;
    else if (isReplaced) this.key = credentials.addKey().key;
    this.secrets.push(this.token, this.key);
    credentials.expire(old);
    this.onRotate?.();
    return true;
  }

  /** Whether the program is expected to wait, as the service told it. */
  get isWaiting(): boolean {
    return Date.now() < this.#waitUntil;
  }

  /** Whether the program kept asking although it was told to wait. */
  get isHammered(): boolean {
    return this.#hasty > HASTY_REQUESTS || Math.max(0, ...this.#repeated.values()) > HASTY_REPETITIONS;
  }

  /** Returns what the program did not reach; nothing if it met everything that the scenario is about. */
  unreached(): string | undefined {
    const { operation: own, plan } = this;
    const { runs, fault } = plan;
    const entries = this.ref.journal.all();
    if (entries.length === 0) return "any request";
    if (typeof runs === "object" && !this.isKilled)
      return `request ${runs.killedAt} of ${own}, at which it is killed`;
    if (fault !== undefined) {
      const met = new Set(entries.flatMap(({ overrides = [] }) => overrides));
      if (this.faultIds.every((id) => met.has(id))) return undefined;
      const missing = this.times.length === 0 ? `never sent ${own}` : "sent no request that it affects";
      return `${fault.what} (the program ${missing})`;
    }
    // a request to an unknown path belongs to no operation
    const isReached = entries.some(({ operation }) => operation === own || operation === null);
    return isReached ? undefined : `a request of ${own}`;
  }

  /** Returns the data as it was before the runs. */
  stateBefore(): ReferenceState {
    return createReferenceServer(this.#options).state;
  }
}

/** Equal requests have the same key. */
function keyOf({ method, operation, path, query, body }: RequestView): string {
  return JSON.stringify([method, operation, path, query, body]);
}
