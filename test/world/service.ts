/** The reference server behind a network in virtual time, with other writers and everything else that happens to requests. */
import { fleetOperations } from "../../generated/fleet.operations.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import type { Fetch, FetchInit } from "../../src/client/store/index.ts";
import { referenceFetch } from "../../src/mock/adapters/fetch.ts";
import { createReferenceServer, type ReferenceServer, type ResponseChange } from "../../src/mock/index.ts";
import type { CoreRequest, CoreResponse } from "../../src/mock/server/exchange.ts";
import type { Timers } from "../../src/mock/server/clock.ts";
import { Random } from "../../src/mock/server/random.ts";
import { type Attempt, Calls } from "./calls.ts";
import { epoch, must, VirtualClock, type Violation } from "./clock.ts";
import type { Happening, History } from "./history.ts";
import type { Program } from "./program.ts";
import { Truth } from "./truth.ts";

/** The paths of the lists, whose pages can be faulty. */
const lists = Object.values({ ...storeOperations, ...fleetOperations })
  .filter((operation) => "list" in operation)
  .map(({ id, path }) => ({ id, path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}(\\?|$)`) }));

/** A secret whose URL, JSON and base64 forms all differ from itself. */
const storeToken = 's3cr/et+"of\\the-store=1';

type Do<Name> = Happening & { do: Name };

export class Service {
  readonly clock = new VirtualClock();
  readonly ref: ReferenceServer;
  readonly truth: Truth;
  readonly calls: Calls;
  readonly random: Random;
  readonly trace: string[] = [];
  token = storeToken;
  key: string;
  readonly secrets: string[];
  /** The first broken rule. Clients treat what a hook or a `fetch` throws as their own affair. */
  violation: Violation | undefined;
  /** Whether nothing happens any more: the epilogue of a history. */
  isCalm = false;
  /** The number of events that have happened. */
  happened = 0;
  /** Whether a page was not the requested one. */
  isPagingFaulty = false;
  /** Whether a pull may deliver an item again, because its position did not exist, or lies in two time ranges. */
  hasRefused: boolean;
  readonly skew: number;
  readonly #history: History;
  #next = 0;
  #passed = 0;
  #saves = 0;
  #made = 0;

  constructor(history: History) {
    const { seed, rows, readings, skew, client } = history;
    const { stores, withoutId, items: protocolsPerStore, fleet: count } = rows;
    const names = ["vehicles", "damages", "vehicleGroups", "inspections", "driverAssignments"];
    const fleet = Object.fromEntries(names.map((name) => [name, count]));
    this.ref = createReferenceServer({
      seed,
      readings,
      now: new Date(epoch + skew),
      store: { token: storeToken, stores, storesWithoutId: withoutId, protocolsPerStore },
      fleet: { ...fleet, inspectionTemplates: Math.min(count, 5), vehicleFields: 0 },
    });
    this.#history = history;
    this.skew = skew;
    this.key = this.ref.key;
    this.secrets = [this.token, this.key];
    this.random = new Random(seed, "network");
    this.truth = new Truth(this.ref);
    this.calls = new Calls(this, client);
    // neighboring time ranges overlap
    const isWindowed = client.protocolPages === "window";
    this.hasRefused = isWindowed || (readings["protocols.next-page"] ?? "cursor") !== "cursor";
  }

  /** Milliseconds since 1970, by the clock of the service. */
  get time(): number {
    return epoch + this.clock.now + this.skew;
  }

  note(text: string): void {
    this.trace.push(`${(this.clock.now / 1000).toFixed(3).padStart(10)}  ${text}`);
  }

  /** Makes what has not happened yet never happen. */
  calmDown(): void {
    this.isCalm = true;
    this.ref.overrides.clear();
  }

  /** Checks a rule in a function that a client calls. */
  guard<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      this.violation ??= error as Violation; // or another error of this folder
      throw error;
    }
  }

  /** Called before a program saves; may kill it. */
  atSave(program: Program): void {
    if (this.isCalm || !this.#history.killsAtSave.includes((this.#saves += 1))) return;
    this.happened += 1;
    this.note("killed before it saves");
    program.kill();
  }

  /** The `fetch` of a program. What a program that was killed has left running never ends. */
  fetchFor(program: Program): Fetch {
    return async (url, init) => {
      this.guard(() => must(!program.isDrained, "nothing is sent after drain()", url));
      if (!program.isAlive) return forever();
      const call = new Headers(init.headers).get("x-call") ?? "";
      const attempt = this.guard(() => this.calls.open(call, url, init));
      program.inFlight += 1;
      const most = 2 * (program.history.client.maxConcurrency ?? Infinity); // both clients have places of their own
      this.guard(() => must(program.inFlight <= most, "no more requests are in flight than maxConcurrency"));
      try {
        return await this.#exchange(program, url, init, attempt);
      } finally {
        program.inFlight -= 1;
      }
    };
  }

  async #exchange(program: Program, url: string, init: FetchInit, attempt: Attempt): Promise<Response> {
    const { method, signal } = init;
    await this.clock.sleep(1 + this.random.integer(0, 40), signal);
    if (!program.isAlive) return forever();
    const { target } = this.ref.locate(url) ?? { target: url };
    this.guard(() => must(target !== url, "G-12: a request goes to the base URL", url));
    const list = method === "GET" ? lists.find(({ path }) => path.test(target))?.id : undefined;
    const happening = this.#takeHappening(list !== undefined);
    const step = new Headers(init.headers).get("x-step") ?? "other";
    const line = `${step} ${method} ${target}`;
    if (happening?.do === "stop" && happening.at === "before")
      return this.#stop(program, happening, line, signal);
    this.ref.clock.set(new Date(this.time));
    const isAlone = this.ref.overrides.all().length === 0;
    this.#arm(happening, list);
    const serve = (request: CoreRequest): CoreResponse => {
      const core = this.ref.respond(request);
      // a read changes nothing, except under the paging fault `shift`
      const isRead = method === "GET";
      const by = isRead ? "other" : step;
      const effects = isRead && !this.isPagingFaulty ? 0 : this.truth.note(by, this.clock.now);
      core.headers["date"] = new Date(this.time).toUTCString();
      const what = happening === undefined ? "" : `  ← ${JSON.stringify(happening)}`;
      const outcome = `${core.fault?.kind ?? core.status}${effects > 0 ? ` (${effects} changes)` : ""}`;
      this.note(`${line} → ${outcome}${what}`);
      this.calls.arrive(attempt, core, effects > 0);
      const isBefore = isAlone && happening !== undefined && "at" in happening && happening.at === "before";
      must(!isBefore || isRead || effects === 0, "the reference server executes nothing `before`");
      must(core.status !== 501, "the reference server does not fail", core.body);
      return { ...core, delay: core.delay + 1 + this.random.integer(0, 40) };
    };
    // the adapter uses no other timer, and asks for this URL
    const timers = { wait: (ms: number) => this.clock.sleep(ms, signal) } as Timers;
    const location = { base: "store", target, ...this.ref.locate(url) } as const;
    const respond = (request: CoreRequest): CoreResponse => this.guard(() => serve(request));
    const endpoint = { timers, resets: 0, locate: () => location, respond };
    const response = await referenceFetch(endpoint)(url, init);
    if (happening?.do === "stop") return this.#stop(program, happening, line, signal);
    return program.isAlive ? response : forever();
  }

  /** Returns what happens at this request. The pages of a list are only faulty in a list. */
  #takeHappening(isList: boolean): Happening | undefined {
    const event = this.isCalm ? undefined : this.#history.events[this.#next];
    if (event === undefined || (this.#passed += 1) <= event.after) return undefined;
    if (event.what.do === "paging" && !isList) return undefined;
    this.#next += 1;
    this.#passed = 0;
    this.happened += 1;
    return event.what;
  }

  /** Prepares the reference server for this request. */
  #arm(happening: Happening | undefined, list: (typeof lists)[number]["id"] | undefined): void {
    const every = this.ref.on("*");
    this.hasRefused ||= happening?.do === "paging" || happening?.do === "respond";
    if (happening?.do === "break") every.fault(happening.kind, { at: happening.at }).times(happening.times);
    if (happening?.do === "respond") this.#respond(happening);
    if (happening?.do === "delay") every.delay(happening.ms).times(1);
    if (happening?.do === "rotate") this.#rotate();
    if (happening?.do === "write") {
      this.#write(happening);
      this.truth.note("other", this.clock.now);
    }
    if (happening?.do !== "paging" || list === undefined) return;
    this.isPagingFaulty = true;
    this.ref.on(list).paging(happening.kind).times(happening.times);
  }

  /** Responds with an error that quotes the secret of the request. */
  #respond({ status, retryAfter, isDate, at, times }: Do<"respond">): void {
    // only a 429 says that the request was not processed, and only what was not processed is a 4xx
    const place = status >= 500 || status === 408 ? at : "before";
    const date = new Date(Math.floor(this.time / 1000) * 1000 + (retryAfter ?? 0) * 1000).toUTCString();
    const wait = retryAfter === null ? {} : { "retry-after": isDate ? date : String(retryAfter) };
    const quote: ResponseChange = (_, request) => {
      const secret = request.headers["authorization"]?.slice(7) ?? "";
      const message = `rejected Bearer ${secret} ${encodeURIComponent(secret)} ${btoa(secret)}`;
      const [error, issue] = ["validation_failed", "BAD_REQUEST"].map((code) => ({ code, message }));
      const body = { error, errors: [issue] };
      return { status, headers: { ...wait, "x-request-id": secret }, body };
    };
    this.ref.on("*").always({ status }, { at: place }).times(times).change(quote).times(times);
  }

  /** Ends the program at this request. */
  async #stop(program: Program, { how }: Do<"stop">, line: string, signal: AbortSignal): Promise<Response> {
    this.note(`${line} → ${how}`);
    if (how === "kill") program.kill();
    else if (how === "abort") program.abort();
    else void program.drain();
    if (how === "kill") return forever();
    await this.clock.sleep(5, signal);
    throw new TypeError("fetch failed");
  }

  /** Replaces the credentials: the programs read the new ones. */
  #rotate(): void {
    const { credentials } = this.ref;
    for (const old of [this.token, this.key]) credentials.expire(old);
    const count = this.secrets.length.toString(16).padStart(8, "0");
    this.token = credentials.addToken({ token: storeToken + count }).token;
    this.key = credentials.addKey({ key: this.key.replace(/.{8}$/, count) }).key;
    this.secrets.push(this.token, this.key);
  }

  /** Changes, creates or deletes an entity, as other writers do. New protocols and photos are of this instant. */
  #write({ on, act, pick }: Do<"write">): void {
    const { store, fleet } = this.ref.state;
    const made = (this.#made += 1);
    const id = `7f1b0c2e-0000-4000-8000-${String(made).padStart(12, "0")}`;
    const createdAt = new Date(this.time).toISOString();
    if (on === "protocols" || on === "photos") {
      for (const externalId of store.stores.keys()) {
        const rows: object[] = store[on].get(externalId) ?? [];
        const own = { [on === "protocols" ? "protocolId" : "photoId"]: `${externalId}-n${made}` };
        const row = { ...own, externalId, status: "completed", createdAt, submittedAt: createdAt };
        const changed = { ...rows[pick % rows.length], status: "failed", updatedAt: createdAt };
        const isNew = act === "create" || rows.length === 0;
        const all = isNew ? [...rows, row] : rows.with(pick % rows.length, changed);
        store[on].set(externalId, all as never); // rows of this list
      }
      return;
    }
    const rows: Map<string, object> = on === "stores" ? store.stores : fleet[on];
    const key = [...rows.keys()].at(pick % Math.max(1, rows.size)) ?? "";
    const old = rows.get(key);
    if (act === "delete")
      for (const each of on === "stores" ? Object.values(store) : [rows]) each.delete(key);
    else if (act === "change" && old !== undefined) rows.set(key, { ...old, location: `other ${made}` });
    else if (on === "stores" && old !== undefined)
      rows.set(`S-x${made}`, { ...old, storeId: id, externalId: `S-x${made}` });
    else if (on !== "stores")
      rows.set(id, { id, name: `other ${made}`, plateNumber: `OT ${made}`, description: `other ${made}` });
  }
}

function forever(): Promise<never> {
  return new Promise(() => {});
}
