import * as z from "zod/mini";
import type { JsonObject } from "../../generated/fleet.ts";
import type { Store } from "../../generated/store.ts";
import { type Location, type ReferenceFetch, referenceFetch } from "./adapters/fetch.ts";
import type { FleetResource } from "./fleet/data.ts";
import type { FleetKey } from "./fleet/keys.ts";
import type { Clock, Timers } from "./server/clock.ts";
import { Credentials } from "./server/credentials.ts";
import {
  type Base,
  BODY_LIMIT,
  type CoreRequest,
  type CoreResponse,
  type RequestHeaders,
} from "./server/exchange.ts";
import { handle } from "./server/handle.ts";
import type { RateLimits, ResolvedLimits } from "./server/limiter.ts";
import type { OperationId } from "./server/operations.ts";
import { type BaseUrls, type ReferenceServerOptions, validateOptions } from "./server/options.ts";
import type { MockReadings, ReadingsOption } from "./server/readings.ts";
import { parse } from "./server/schemas.ts";
import { Server, Snapshot } from "./server/server.ts";
import type { ExportedState, ExportOptions } from "./server/state.ts";
import type { StoreList, StoreRows } from "./store/data.ts";
import type { Journal } from "./testing/journal.ts";
import type { OverrideMatcher } from "./testing/matcher.ts";
import { OperationOverride, type Overrides } from "./testing/overrides.ts";

/** The data of the store API, by external ID. */
export type StoreState = {
  readonly stores: Map<string, Store>;
  /** The stores without an external ID, which no path reaches, by their place in the order of the external IDs. */
  readonly storesWithoutId: Map<string, Store>;
} & { readonly [List in StoreList]: Map<string, StoreRows[List][]> };

/** The data of one environment of the fleet API, each resource by id. */
export type FleetState = { readonly [Resource in FleetResource]: Map<string, JsonObject> };

/** The state of a server. Tests read and change it; the next response shows the change. */
export interface ReferenceState {
  readonly store: StoreState;
  /** Production of the fleet API. */
  readonly fleet: FleetState;
  readonly sandbox: FleetState;
}

const resetSchema = z.strictObject({ to: z.optional(z.enum(["seed", "start"])) });
const exportSchema = z.strictObject({ full: z.optional(z.boolean()) });

/** The reference server of both APIs. Made by `createReferenceServer`. */
export class ReferenceServer {
  /** Base URL of the store API. */
  readonly storeUrl: string;
  /** Base URL of the fleet API's production. */
  readonly fleetUrl: string;
  /** Base URL of the fleet API's sandbox. */
  readonly sandboxUrl: string;
  /** The token of the store API. If the server has no configured token, every request gets 503, also with this one. */
  readonly token: string;
  /** Adds, lists, revokes and expires tokens and keys. */
  readonly credentials: Credentials;
  readonly state: ReferenceState;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The active overrides, declared by `on`. */
  readonly overrides: Overrides;
  /** A `fetch` that the server responds to. It never reaches the network, and does not need the server as `this`. */
  readonly fetch: ReferenceFetch;
  /** @internal The timers of delays. */
  readonly timers: Timers;
  readonly #server: Server;
  /** The names and URLs of the bases, the longest first: one base may be below another. */
  readonly #bases: readonly (readonly [base: Base, url: string])[];

  /** @internal */
  constructor(server: Server, { storeUrl, fleetUrl, sandboxUrl }: BaseUrls) {
    this.#server = server;
    const { store, fleet, sandbox, clock, journal, overrides, timers, token } = server;
    this.storeUrl = storeUrl;
    this.fleetUrl = fleetUrl;
    this.sandboxUrl = sandboxUrl;
    const bases = [
      ["store", storeUrl] as const,
      ["fleet", fleetUrl] as const,
      ["sandbox", sandboxUrl] as const,
    ];
    this.#bases = bases.toSorted(([, a], [, b]) => b.length - a.length);
    this.token = token;
    this.credentials = new Credentials(server);
    this.state = { store, fleet, sandbox };
    this.clock = clock;
    this.journal = journal;
    this.overrides = overrides;
    this.timers = timers;
    this.fetch = referenceFetch(this);
  }

  /**
   * Declares overrides of an operation's next requests, or of all operations with `"*"`. A matcher selects
   * requests.
   *
   * @example ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 503 });
   */
  on<Id extends OperationId | "*">(operation: Id, matcher?: OverrideMatcher<Id>): OperationOverride {
    return new OperationOverride(this.#server.overrides, operation, matcher);
  }

  /** The keys of the fleet API; by default the first is a production key with every scope. */
  get keys(): readonly FleetKey[] {
    return [...this.#server.keys.values()];
  }

  /** The first key of the fleet API; by default a production key with every scope. Throws if the server has no key. */
  get key(): string {
    const [first] = this.keys;
    if (first === undefined) throw new Error("key: the server has no key. Give it one with fleet.keys");
    return first.key;
  }

  /**
   * The options of a `StoreClient` of this server.
   * @example const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
   */
  get storeOptions(): { baseUrl: string; token: string; fetch: ReferenceFetch } {
    return { baseUrl: this.storeUrl, token: this.token, fetch: this.fetch };
  }

  /**
   * The options of a `FleetClient` of this server, with its first key. The prefix of the key selects the environment.
   * Throws if the server has no key.
   */
  get fleetOptions(): {
    environments: { production: string; sandbox: string };
    key: string;
    fetch: ReferenceFetch;
  } {
    const environments = { production: this.fleetUrl, sandbox: this.sandboxUrl };
    return { environments, key: this.key, fetch: this.fetch };
  }

  /** The current reading of every gap. */
  get readings(): Readonly<MockReadings> {
    return { ...this.#server.readings };
  }

  /** @internal The number of resets. */
  get resets(): number {
    return this.#server.resets;
  }

  /** @internal The number of bytes of a body that an adapter reads: gap limits.body-size. */
  readonly bodyLimit = BODY_LIMIT;

  /** Switches readings until `reset()`; rows that were read before do not change. */
  switchReadings(readings: ReadingsOption): void {
    this.#server.switchReadings(readings);
  }

  /** The current rate limits. They apply to an API if the reading of `limits.store-rate` or `limits.fleet-rate` says so. */
  get limits(): ResolvedLimits {
    return { ...this.#server.limiter.limits };
  }

  /** Limits the rate of requests to both APIs until `reset()`. Every token and key begins with a full bucket. */
  switchLimits(limits: RateLimits): void {
    this.#server.switchLimits(limits);
  }

  /** Copies the state, the clock and the ID sequence. */
  snapshot(): Snapshot {
    return new Snapshot(this.#server);
  }

  /** Restores a snapshot of this server. */
  restore(snapshot: Snapshot): void {
    if (!(snapshot instanceof Snapshot)) throw new Error("restore: not a snapshot of a reference server");
    snapshot.restore(this.#server);
  }

  /**
   * Returns the data as plain JSON, for the option `state` or a file: seed data and all changes (also of the
   * sandbox), the clock's time and the ID sequence, without tokens, keys, readings and overrides.
   */
  exportState(options: ExportOptions = {}): ExportedState {
    return this.#server.exportState(parse(exportSchema, options, "exportState"));
  }

  /**
   * Replaces the data by a state, as `exportState()` returns it, and sets the clock to its time. `reset()` returns to this
   * state. Tokens, keys, readings, overrides and the journal stay.
   */
  importState(state: ExportedState): void {
    this.#server.importState(state);
  }

  /**
   * Resets the server to its seed: state, keys, ID sequence, readings, `on`, clock and journal. After `importState`
   * this is the imported state; with `{ to: "start" }` it is the data that the server was created with.
   */
  reset(options: { to?: "seed" | "start" | undefined } = {}): void {
    this.#server.reset(parse(resetSchema, options, "reset").to ?? "seed");
  }

  /** Returns the response to a request, for custom adapters, which wait `delay` and apply `fault`. */
  respond(request: CoreRequest): CoreResponse {
    return handle(this.#server, request);
  }

  /** @internal Removes the server's secrets and those in the headers of a request from a string. */
  redact(text: string, headers: RequestHeaders): string {
    return this.#server.secrets.redactionFor(headers)(text);
  }

  /** @internal Splits an absolute URL into base and target. */
  locate(url: string): Location | undefined {
    for (const [base, prefix] of this.#bases) {
      const target = url.slice(prefix.length);
      if (url.startsWith(prefix) && (target === "" || /^[/?#]/.test(target))) return { base, target };
    }
    return undefined;
  }
}

/**
 * Creates a reference server of both APIs. Two servers with the same options have the same data.
 * @example
 * const ref = createReferenceServer({ store: { stores: 3 } });
 * const store = new StoreClient(ref.storeOptions);
 */
export function createReferenceServer(options: ReferenceServerOptions = {}): ReferenceServer {
  const baseUrls = validateOptions(options);
  return new ReferenceServer(new Server(options), baseUrls);
}
