/** A program with its two clients. Of what it was doing, only what it has saved is left after a kill. */
import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import {
  type ClientOptions,
  FleetClient,
  type Hooks,
  logTo,
  StoreClient,
  tokenBucket,
} from "../../src/index.ts";
import { must, ProgramRuntime } from "./clock.ts";
import type { History } from "./history.ts";
import type { Service } from "./service.ts";

/** The forms of a secret in which texts may contain it. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), btoa(secret)];
}

export class Program {
  readonly history: History;
  readonly runtime: ProgramRuntime;
  readonly store: StoreClient;
  readonly fleet: FleetClient;
  /** Resolves when the program was killed. */
  readonly killed: Promise<"killed">;
  isAlive = true;
  isDrained = false;
  inFlight = 0;
  /** Aborted by `abort()`, the last one is that of the next step. */
  readonly #controllers = [new AbortController()];
  readonly #service: Service;
  readonly #name: string;
  #end: (reason: "killed") => void = () => {};

  constructor(service: Service, history: History, name: string) {
    this.#service = service;
    this.#name = name;
    this.history = history;
    this.killed = new Promise((resolve) => {
      this.#end = resolve;
    });
    const runtime = new ProgramRuntime(service.clock, () => service.random.fraction());
    this.runtime = runtime;
    const { retry, timeout, totalTimeout, maxConcurrency, perSecond, validate, protocolPages, hooks } =
      history.client;
    const write = (line: string): void => service.guard(() => this.inspect(line, "a line of the log"));
    const log = logTo({ info: write, warn: write, error: write });
    const limiter = perSecond === null ? undefined : tokenBucket({ perSecond, runtime });
    const fetch = service.fetchFor(this);
    const options = (client: string): ClientOptions => {
      const own = { totalTimeout: totalTimeout ?? undefined, maxConcurrency: maxConcurrency ?? undefined };
      const observers = { hooks: this.#hooks(client), log: hooks === "none" ? undefined : log };
      return { ...own, ...observers, retry, timeout, validate, runtime, fetch, limiter };
    };
    const { storeUrl: baseUrl, fleetUrl: production, sandboxUrl: sandbox } = service.ref;
    const timePrecision = history.readings["time-range.precision"] ?? "millisecond";
    const own = { baseUrl, protocolPages, timePrecision, token: () => service.token };
    this.store = new StoreClient({ ...options("store"), ...own });
    const environments = { production, sandbox };
    this.fleet = new FleetClient({ ...options("fleet"), environments, key: () => service.key });
  }

  get signal(): AbortSignal {
    return (this.#controllers.at(-1) as AbortController).signal; // there is one
  }

  /** Whether its steps must be run again by another program. */
  get isOver(): boolean {
    return !this.isAlive || this.isDrained;
  }

  kill(): void {
    this.isAlive = false;
    this.runtime.stop();
    this.#end("killed");
  }

  /** Aborts what runs; later steps have another signal. */
  abort(): void {
    this.#controllers.at(-1)?.abort(new DOMException("the user has left", "AbortError"));
    this.#controllers.push(new AbortController());
  }

  async drain(): Promise<void> {
    this.isDrained = true;
    await Promise.all([this.store.drain(), this.fleet.drain()]);
  }

  /** Ends the history if a value contains a secret, in the forms in which people print values. */
  inspect(value: unknown, what: string): void {
    const json = value instanceof Error ? JSON.stringify(value) : "";
    const text = typeof value === "string" ? value : inspect(value, { depth: 8, showHidden: true }) + json;
    for (const form of this.#service.secrets.flatMap(formsOf)) {
      const index = text.indexOf(form);
      must(index < 0, `G-12: no secret is in ${what}`, text.slice(Math.max(0, index - 200), index + 100));
    }
  }

  /** What is left when nothing runs any more. */
  checkEnd(): void {
    if (!this.isAlive) return;
    this.inspect([this.store, this.fleet], "a client");
    must(this.inFlight === 0, "no request is in flight after the end");
    must(this.runtime.timers.size === 0, "no timer is left after the end");
    const left = this.#controllers.some(({ signal }) => getEventListeners(signal, "abort").length > 0);
    must(!left, "no listener is left on a signal");
  }

  #hooks(client: string): readonly Hooks[] {
    const { calls } = this.#service;
    const { hooks } = this.history.client;
    const check = (event: object, what: string, rule: (id: string) => void = () => {}): void =>
      this.#service.guard(() => {
        this.inspect(event, what);
        rule(`${this.#name} ${client} ${"call" in event ? String(event.call) : ""}`);
      });
    const recorder: Hooks = {
      onRequest: (event) => check(event, "onRequest", (id) => calls.request(id, event)),
      onResponse: (event) => check(event, "onResponse", (id) => calls.response(id, event)),
      onRetry: (event) => check(event, "onRetry"),
      onEnd: (event) => check(event, "onEnd", (id) => calls.end(id, event)),
      onDrift: (event) => check(event, "onDrift"),
    };
    return hooks === "none" ? [] : [recorder];
  }
}
