import { type ReferenceServer, createReferenceServer } from "../reference-server.ts";
import type { ReferenceServerOptions } from "../server/options.ts";
import type { OtherWrite } from "../testing/effects.ts";
import type { RequestView } from "../server/exchange.ts";
import { type Entities, type Versions, readEntities } from "./judge/state.ts";
import { EARLY } from "./faults.ts";
import type { ExpectedRow, ScenarioPlan, TaskInput } from "./model.ts";

/** More equal requests than that are an endless loop. */
const EQUAL_REQUESTS = 30;

/** More requests of one run than that are an endless loop: a program may read the details of each row, twice. */
const REQUESTS = 1000;

/** More requests than that, while the service tells the program to wait, are too many. */
const HASTY_REQUESTS = 10;

/** More repetitions of one rejected request before its time than that are too many: a timer may be early. */
const HASTY_REPETITIONS = 1;

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The events of a run that whoever runs the program reacts to. */
export interface WorldEvents {
  /** The program must be stopped: it is in an endless loop, or the scenario kills it. */
  onStop(): void;
  /** The token or key was replaced. */
  onRotate?(): void;
}

export interface WorldRecord {
  readonly isHung: boolean;
  readonly isHammered: boolean;
  readonly isReached: boolean;
}

/** A reference server in which one scenario takes place. */
export class World {
  readonly ref: ReferenceServer;
  readonly plan: ScenarioPlan;
  readonly task: TaskInput;
  /** The description of each override that is a fault, by its ID. */
  readonly faults = new Map<number, string>();
  /** The requests that another host received, without their bodies. */
  readonly elsewhere: string[] = [];
  /** The bodies of these requests. */
  readonly bodiesElsewhere: string[] = [];
  token: string;
  key: string;
  readonly secrets: string[];
  readonly #options: ReferenceServerOptions;
  readonly #before: Entities | undefined;
  readonly #rowsBefore: readonly ExpectedRow[];
  readonly #now: () => number;
  readonly #equal = new Map<string, number>();
  #events: WorldEvents | undefined;
  #requests = 0;
  #waitUntil = 0;
  #hasty = 0;
  /** The number of times that each rejected request was repeated before its time. */
  readonly #repeated = new Map<string, number>();
  #isHung = false;
  #running = 0;
  /** The number of requests at which the scenario may kill the program, and whether it has. */
  #killable = 0;
  #isKilled = false;
  /** Makes every request fail after a run was stopped or has ended. */
  #blockade: { remove(): void } | undefined;

  constructor(plan: ScenarioPlan, { seed, now }: { seed: number; now: () => number }) {
    const { task, world = {}, data = {} } = plan;
    this.plan = plan;
    this.task = { name: task.name, api: task.api, words: task.words, data: { ...task.data, ...data } };
    this.#options = { ...mergeOptions(task.world, world), seed };
    this.ref = createReferenceServer(this.#options);
    this.token = this.ref.token;
    this.key = this.ref.keys.find(({ key }) => !key.includes("_test_"))?.key ?? "";
    this.secrets = [this.token, this.key];
    this.#now = now;
    const { goal } = task;
    this.#before = goal.kind === "write" ? readEntities(this.ref.state, task.api) : undefined;
    this.#rowsBefore = goal.kind === "copy" ? goal.rows(this.ref.state, this.task.data) : [];
  }

  /** Declares the faults; `elsewhere` is the URL of another host. */
  arm(elsewhere: string): void {
    const { ref, plan } = this;
    const context = {
      ref,
      operation: plan.task.operation,
      elsewhere,
      rotate: (isReplaced: boolean) => this.#rotate(isReplaced),
    };
    for (const fault of plan.faults) {
      const { ids } = fault.arm(context);
      for (const id of ids) this.faults.set(id, fault.what);
    }
    ref.on("*", { when: (request) => this.#observe(request) }).delay(0);
    ref.on("*").change(({ status, headers }, request) => this.#note(status, headers["retry-after"], request));
  }

  /** Begins a run of the program. */
  startRun(events: WorldEvents): void {
    this.#events = events;
    this.#requests = 0;
    this.#running += 1;
    this.#blockade?.remove();
    this.#blockade = undefined;
  }

  /** Ends the run: what the program has left running gets no response, and changes nothing. */
  endRun(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#events = undefined;
    this.#blockade?.remove();
    this.#blockade = this.ref.on("*").fault("reset", { at: "before" });
  }

  #observe(request: RequestView): false {
    this.#requests += 1;
    const { runs } = this.plan;
    const key = keyOf(request);
    const count = (this.#equal.get(key) ?? 0) + 1;
    this.#equal.set(key, count);
    if (this.isWaiting) {
      const repeated = this.#repeated.get(key);
      if (repeated !== undefined) this.#repeated.set(key, repeated + 1);
      this.#hasty += 1;
    }
    const isLoop = count > EQUAL_REQUESTS || this.#requests > REQUESTS;
    if (isLoop) this.#isHung = true;
    const isKill = runs.kind === "killed" && request.operation === this.plan.task.operation;
    if (isLoop || (isKill && this.#isAtKill(runs.atRequest))) this.#stop();
    return false;
  }

  #isAtKill(atRequest: number): boolean {
    this.#killable += 1;
    if (this.#isKilled || this.#killable < atRequest) return false;
    this.#isKilled = true;
    return true;
  }

  /** The paths, queries and bodies of the requests, each once. */
  get requests(): string[] {
    return [...this.#equal.keys()];
  }

  /** The paths and queries of the requests that belong to no operation, in which secrets are redacted. */
  unknownTargets(): string[] {
    const unknown = this.ref.journal.all().filter(({ operation }) => operation === null);
    return unknown.map(({ path, query }) => JSON.stringify([path, query]));
  }

  /** Whether the program was killed as the scenario says. */
  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Returns the requests of the program that changed the data. */
  writes(): string[] {
    const changed = this.ref.journal
      .all()
      .filter(({ method, status }) => !READS.has(method) && (status === null || status < 300));
    return changed.map(({ method, path }) => `${method} ${path} changed the data`);
  }

  #stop(): void {
    if (this.#blockade !== undefined) return;
    this.#blockade = this.ref.on("*").fault("reset", { at: "after" });
    this.#events?.onStop();
  }

  #note(status: number, retryAfter: string | undefined, request: RequestView): undefined {
    if ((status !== 429 && status !== 503) || retryAfter === undefined) return;
    const seconds = /^\d+$/.test(retryAfter)
      ? Number(retryAfter)
      : (Date.parse(retryAfter) - Date.now()) / 1000;
    this.#waitUntil = Math.max(this.#waitUntil, this.#now() + seconds * 1000 - EARLY);
    const key = keyOf(request);
    this.#repeated.set(key, this.#repeated.get(key) ?? 0);
  }

  #rotate(isReplaced: boolean): void {
    const { ref } = this;
    const isStore = this.plan.task.api === "store";
    const old = isStore ? this.token : this.key;
    if (isReplaced && isStore) this.token = ref.credentials.addToken().token;
    else if (isReplaced) this.key = ref.credentials.addKey().key;
    if (isReplaced) this.secrets.push(isStore ? this.token : this.key);
    ref.credentials.revoke(old);
    this.#events?.onRotate?.();
  }

  /** Whether the program is expected to wait, as the service told it. */
  get isWaiting(): boolean {
    return this.#now() < this.#waitUntil;
  }

  record(): WorldRecord {
    const { plan } = this;
    return {
      isHung: this.#isHung,
      isHammered:
        this.#hasty > HASTY_REQUESTS ||
        [...this.#repeated.values()].some((count) => count > HASTY_REPETITIONS),
      isReached: plan.runs.kind === "killed" && !this.isKilled ? false : this.#isReached(),
    };
  }

  #isReached(): boolean {
    const { plan, faults, ref } = this;
    const entries = ref.journal.all();
    if (faults.size > 0 && plan.reached === undefined) {
      const seen = new Set(entries.flatMap(({ overrides = [] }) => overrides));
      return [...faults.keys()].every((id) => seen.has(id));
    }
    // a request to an unknown path belongs to no operation
    const own = entries.filter(({ operation }) => operation === plan.task.operation || operation === null);
    return own.some(({ status }) => plan.reached === undefined || status === plan.reached);
  }

  /** Returns the correct copies before and after the runs. */
  rows(): [before: readonly ExpectedRow[], after: readonly ExpectedRow[]] {
    const { goal } = this.plan.task;
    const after = goal.kind === "copy" ? goal.rows(this.ref.state, this.task.data) : [];
    const replace = (row: ExpectedRow) => ({ ...row, values: { ...row.values, ...this.plan.expected } });
    return [this.#rowsBefore.map(replace), after.map(replace)];
  }

  /** Returns the data of the server, as it was, as it should be and as it is. */
  versions(): Versions {
    const { task, faults } = this.plan;
    const twin = createReferenceServer(this.#options);
    for (const { write } of faults) if (write !== undefined) applyWrite(twin, task.api, write);
    const others = readEntities(twin.state, task.api);
    if (task.goal.kind === "write") task.goal.apply(twin.state, this.task.data);
    const expected = readEntities(twin.state, task.api);
    return {
      before: this.#before ?? others,
      others,
      expected,
      actual: readEntities(this.ref.state, task.api),
    };
  }
}

/** Equal requests have the same key. */
function keyOf({ method, operation, path, query, body }: RequestView): string {
  return JSON.stringify([method, operation, path, query, body]);
}

/** The operation of a write is found by the server, as for any request. */
function applyWrite(twin: ReferenceServer, api: "store" | "fleet", { method, path, body }: OtherWrite): void {
  const secret = api === "store" ? twin.token : (twin.keys[0]?.key ?? "");
  twin.respond({
    base: api,
    method,
    target: path,
    authorization: `Bearer ${secret}`,
    contentType: "application/json",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function mergeOptions(base: ReferenceServerOptions, more: ReferenceServerOptions): ReferenceServerOptions {
  return {
    ...base,
    ...more,
    store: { ...base.store, ...more.store },
    fleet: { ...base.fleet, ...more.fleet },
  };
}
