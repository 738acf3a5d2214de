import { type ReferenceFetch, referenceFetch } from "./adapters/fetch/reference-fetch.ts";
import type { Readings } from "../../generated/gaps.ts";
import type { ReadingsFile } from "../wire/readings-file.ts";
import type { FleetKey } from "./apis/fleet/keys.ts";
import { type OperationId, operationModel } from "./apis/operations.ts";
import type { Clock } from "./server/clock.ts";
import type { Location } from "./server/endpoint.ts";
import { checkNames } from "./testing/checks.ts";
import { compileMatcher } from "./testing/matcher.ts";
import { factsOf } from "./testing/operation-model.ts";
import { OperationOverride } from "./testing/operation-override.ts";
import type { RateLimits } from "./server/rate-limiter.ts";
import { type MockReadings, type ReadingsOption, resolveReadings } from "./server/readings.ts";
import { redaction, unknownSecrets } from "./http/redaction.ts";
import { BODY_LIMIT, type CoreResponse, type RequestHeaders } from "./http/request.ts";
import { type Server, Snapshot } from "./server/server.ts";
import type { Timers } from "./server/timers.ts";
import { Credentials } from "./credentials.ts";
import { type ExportOptions, type ExportedState, exportState, importState } from "./exported-state.ts";
import { type MockBaseUrls, type ReferenceServerOptions, validateOptions } from "./options.ts";
import { LIMITED, type ServerState, createServer } from "./server-state.ts";
import type {
  Base,
  BaseRequest,
  OverrideMatcher,
  ReferenceJournal,
  ReferenceOverrides,
  ReferenceState,
} from "./state.ts";

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
  readonly journal: ReferenceJournal;
  /** The active overrides, declared by `on`. */
  readonly overrides: ReferenceOverrides;
  /** A `fetch` that the server responds to. It never reaches the network, and does not need the server as `this`. */
  readonly fetch: ReferenceFetch;
  /** @internal The timers of delays. */
  readonly timers: Timers;
  readonly #server: Server<ServerState>;

  /** @internal */
  constructor(server: Server<ServerState>, baseUrls: MockBaseUrls) {
    this.#server = server;
    const { state, clock, journal } = server;
    this.storeUrl = baseUrls.storeUrl;
    this.fleetUrl = baseUrls.fleetUrl;
    this.sandboxUrl = baseUrls.sandboxUrl;
    this.token = state.token;
    this.credentials = new Credentials(server);
    this.state = { store: state.store, fleet: state.fleet, sandbox: state.sandbox };
    this.clock = clock;
    this.journal = journal as ReferenceJournal; // the kernel knows operations and bases as strings
    this.overrides = server.overrides as ReferenceOverrides; // as above
    this.timers = server.timers;
    this.fetch = referenceFetch(server, server.timers);
  }

  /**
   * Declares overrides of an operation's next requests, or of all operations with `"*"`. A matcher selects
   * requests.
   *
   * @example ref.on("getStore", { path: { externalId: "S-2" } }).always({ status: 503 });
   */
  on<Id extends OperationId | "*">(operation: Id, matcher?: OverrideMatcher<Id>): OperationOverride {
    const facts = factsOf(operationModel, operation);
    const compiled = matcher === undefined ? undefined : compileMatcher(matcher, facts, operation);
    const target = { operation, matcher: compiled, isList: facts.isList };
    return new OperationOverride(this.#server.overrides, target);
  }

  /** The keys of the fleet API; by default the first is a production key with every scope. */
  get keys(): readonly FleetKey[] {
    return [...this.#server.state.keys.values()];
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

  /** @internal The number of bytes of a body that an adapter reads. gap limits.body-size */
  get bodyLimit(): number {
    return this.#server.readings["limits.body-size"] === "unlimited" ? Infinity : BODY_LIMIT;
  }

  /** Switches readings, or those of a readings file, until `reset()`; rows that were read before do not change. */
  switchReadings(readings: ReadingsOption | ReadingsFile<Readings>): void {
    this.#server.readings = resolveReadings(readings, this.#server.readings);
  }

  /** The current rate limits. They apply to an API if the reading of `limits.store-rate` or `limits.fleet-rate` says so. */
  get limits(): Readonly<Required<RateLimits>> {
    return this.#server.limiter.limits;
  }

  /** Limits the rate of requests to both APIs until `reset()`. Every token and key begins with a full bucket. */
  switchLimits(limits: RateLimits): void {
    this.#server.limiter.switch(limits);
    this.switchReadings(LIMITED);
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
    return exportState(this.#server, options);
  }

  /**
   * Replaces the data by a state, as `exportState()` returns it, and sets the clock to its time. `reset()` returns to this
   * state. Tokens, keys, readings, overrides and the journal stay.
   */
  importState(state: ExportedState): void {
    Object.assign(this.#server.state, { imported: importState(state), isReplaced: true });
    this.#server.reseed();
  }

  /**
   * Resets the server to its seed: state, keys, ID sequence, readings, `on`, clock and journal. After `importState`
   * this is the imported state; with `{ to: "start" }` it is the data that the server was created with.
   */
  reset(options: { to?: "seed" | "start" } = {}): void {
    checkNames("reset", options, ["to"]);
    const { to = "seed" } = options;
    if (to !== "seed" && to !== "start")
      throw new Error(`reset: to must be seed or start, not ${String(to)}`);
    const { state } = this.#server;
    if (to === "start") Object.assign(state, { imported: state.given, isReplaced: false });
    this.#server.reset();
  }

  /** Returns the response to a request, for custom adapters, which wait `delay` and apply `fault`. */
  respond(request: BaseRequest): CoreResponse {
    return this.#server.handle(request);
  }

  /** @internal Removes the server's secrets and those in the headers of a request from a string. */
  redact(text: string, headers: RequestHeaders): string {
    const { redactor, secrets } = this.#server;
    return redaction(redactor, unknownSecrets(headers, secrets))(text);
  }

  /** @internal Splits an absolute URL into base and target. */
  locate(url: string): Location<Base> | undefined {
    return this.#server.locate(url) as Location<Base> | undefined; // the mounts have these names
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
  return new ReferenceServer(createServer(options, baseUrls), baseUrls);
}
