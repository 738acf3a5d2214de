import { Random } from "../../wire/random.ts";
import type { Redactor } from "../../wire/redaction.ts";
import { transmittedText } from "../http/body.ts";
import { holdSecret, redactorOf } from "../http/redaction.ts";
import type { CoreRequest, CoreResponse } from "../http/request.ts";
import { Journal, type JournalLimits } from "../testing/journal.ts";
import type { OperationModel } from "../testing/operation-model.ts";
import { Overrides } from "../testing/overrides.ts";
import type { ResponseChange } from "../testing/rule.ts";
import { Clock, type Moment } from "./clock.ts";
import type { Endpoint, Location } from "./endpoint.ts";
import { RateLimiter, type RateLimits } from "./rate-limiter.ts";
import type { MockReadings } from "./readings.ts";
import { createTimers, type Timers, type TimersOption } from "./timers.ts";

/** A part of the state that a snapshot can copy and restore. */
export interface Collection {
  /** Returns a copy that `restore` accepts. */
  copy(): unknown;
  /** Restores a copy of the same collection. */
  restore(copy: unknown): void;
}

/** An API at its base URL. */
export interface Mount<State> {
  /** The name of the base, such as `store`. */
  readonly base: string;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  handle(server: Server<State>, request: CoreRequest): CoreResponse;
}

/** The initial values of a server, except its data. */
interface Start {
  /** The time of its clock, if it differs from that of the options. */
  readonly now?: Moment | undefined;
  /** The number of IDs that were generated before. */
  readonly generatedIds: number;
  /** Whether the data are not those that the server was created with. */
  readonly isReplaced: boolean;
}

/** The state of a server, and functions that fill and reset it. The server knows nothing else about the state. */
export interface StateModel<State> {
  readonly state: State;
  /** Returns the initial values of a server with this state. */
  start(): Start;
  /** Fills the state with its seed, and undoes every change of data; `now` is when the server was created. */
  seed(now: number, readings: MockReadings): void;
  /** Undoes every change of tokens and keys. */
  restoreCredentials(): void;
  /** The tokens and keys. */
  readonly secrets: readonly string[];
  /** The parts that snapshots copy, by name. */
  readonly collections: ReadonlyMap<string, Collection>;
}

interface ServerOptions<State> {
  readonly seed: number;
  readonly now: Moment;
  readonly readings: MockReadings;
  readonly isStrict: boolean;
  readonly limits: RateLimits;
  readonly change: ResponseChange | undefined;
  readonly timers: TimersOption | undefined;
  readonly journal: JournalLimits;
  readonly mounts: readonly Mount<State>[];
  readonly operations: OperationModel;
  readonly model: StateModel<State>;
}

/** The server behind all base URLs; `State` belongs to the APIs. */
export class Server<State> implements Endpoint {
  readings: MockReadings;
  /** Whether a violation of the contract is a 400, also one that the readings tolerate. */
  readonly isStrict: boolean;
  readonly clock: Clock;
  readonly ids: IdSequence;
  readonly overrides: Overrides;
  readonly journal: Journal;
  readonly limiter: RateLimiter;
  readonly timers: Timers;
  /** The change of each response that the options give. */
  readonly change: ResponseChange | undefined;
  /** The base URLs of the data that may differ from the seed. */
  written: ReadonlySet<string> = new Set();
  /** The tokens and keys that the server has ever had. */
  readonly secrets: Set<string>;
  /** Removes the secrets from strings. */
  readonly redactor: Redactor;
  readonly state: State;
  /** The parts of the state that snapshots copy, by name. */
  readonly collections: ReadonlyMap<string, Collection>;
  readonly #options: ServerOptions<State>;
  /** One base may be below another: the longest match is used. */
  readonly #mounts: readonly Mount<State>[];

  constructor(options: ServerOptions<State>) {
    const { seed, journal, operations, model } = options;
    const { now, generatedIds } = model.start();
    this.#options = options;
    this.#mounts = options.mounts.toSorted((a, b) => b.url.length - a.url.length);
    this.readings = { ...options.readings };
    this.isStrict = options.isStrict;
    this.change = options.change;
    this.clock = new Clock(now ?? options.now);
    this.ids = new IdSequence(seed, generatedIds);
    this.secrets = new Set(model.secrets);
    this.redactor = redactorOf(model.secrets);
    this.overrides = new Overrides({ seed, model: operations, redactor: this.redactor });
    this.journal = new Journal({ ...journal, model: operations, redactor: this.redactor });
    this.timers = createTimers(options.timers);
    this.limiter = new RateLimiter(options.limits, this.clock, this.timers);
    this.state = model.state;
    this.collections = model.collections;
    model.restoreCredentials();
    model.seed(this.clock.start, this.readings);
  }

  /** Splits an absolute URL into base and target; returns `undefined` for a URL outside the bases. */
  locate(url: string): Location | undefined {
    for (const { base, url: prefix } of this.#mounts) {
      if (!url.startsWith(prefix)) continue;
      const target = url.slice(prefix.length);
      if (target === "" || /^[/?#]/.test(target)) return { base, target };
    }
    return undefined;
  }

  handle(request: CoreRequest): CoreResponse {
    const { base, body } = request;
    const mount = this.#mounts.find((one) => one.base === base);
    if (mount === undefined) {
      const known = this.#options.mounts.map((one) => one.base).join(", ");
      throw new Error(`Unknown base "${base}". Expected one of ${known}`);
    }
    return mount.handle(this, body === undefined ? request : { ...request, body: transmittedText(body) });
  }

  /** Redacts another token or key from now on. */
  addSecret(secret: string): void {
    this.secrets.add(secret);
    holdSecret(this.redactor, secret);
  }

  reset(): void {
    this.clock.offset = 0;
    this.overrides.clear();
    this.journal.clear();
    this.limiter.reset();
    this.readings = { ...this.#options.readings };
    this.#options.model.restoreCredentials();
    this.reseed();
  }

  /** Fills the state with its seed, and sets the clock if the seed has a time; everything else stays. */
  reseed(): void {
    const { model, mounts } = this.#options;
    const { now, generatedIds, isReplaced } = model.start();
    this.written = new Set(isReplaced ? mounts.map(({ base }) => base) : []);
    if (now !== undefined && now !== "system") this.clock.set(now);
    this.ids.count = generatedIds;
    model.seed(this.clock.start, this.readings);
  }
}

/** Generates IDs for new resources: the same requests in the same order get the same IDs. */
export class IdSequence {
  readonly #seed: number;
  /** The number of generated IDs. */
  count: number;

  constructor(seed: number, count = 0) {
    this.#seed = seed;
    this.count = count;
  }

  uuid(): string {
    return this.next().uuid();
  }

  /** Returns random numbers for the next resource. */
  next(): Random {
    this.count += 1;
    return new Random(this.#seed, "made", this.count);
  }
}

/** A copy of a server's state, clock and ID sequence, for `restore`. */
export class Snapshot {
  readonly #server: object;
  readonly #copies = new Map<string, unknown>();
  readonly #offset: number;
  readonly #ids: number;
  readonly #written: ReadonlySet<string>;

  /** @internal */
  constructor(server: Server<unknown>) {
    this.#server = server;
    for (const [name, collection] of server.collections) this.#copies.set(name, collection.copy());
    this.#offset = server.clock.offset;
    this.#ids = server.ids.count;
    this.#written = server.written;
  }

  /** @internal Restores the copy; a snapshot can be restored any number of times. */
  restore(server: Server<unknown>): void {
    if (server !== this.#server) throw new Error("restore: the snapshot belongs to another reference server");
    for (const [name, collection] of server.collections) collection.restore(this.#copies.get(name));
    server.clock.offset = this.#offset;
    server.ids.count = this.#ids;
    server.written = this.#written;
  }
}
