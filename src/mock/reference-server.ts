import type { Clock } from "./kernel/clock.ts";
import { Family } from "./kernel/tenant-registry.ts";
import type { FleetKey } from "./apis/fleet/keys.ts";
import type { Front } from "./kernel/tenant-router.ts";
import type { Journal } from "./kernel/journal.ts";
import { type OperationId, checkedOperation, isList } from "./apis/operations.ts";
import type { ReferenceServerOptions } from "./options.ts";
import { OperationOverride } from "./kernel/overrides.ts";
import { type MockReadings, type ReadingsOption, chosenReadings } from "./kernel/readings.ts";
import { type ReferenceFetch, referenceFetch } from "./adapters/fetch/reference-fetch.ts";
import { BODY_LIMIT, type CoreAnswer, type CoreRequest } from "./kernel/request.ts";
import { Snapshot } from "./kernel/snapshot.ts";
import type { ReferenceState } from "./state.ts";
import type { Tenant } from "./kernel/tenant.ts";
import type { Timers } from "./kernel/timers.ts";

/** The reference server of both APIs. Made by `createReferenceServer`. */
export class ReferenceServer {
  /** Address of the store API. */
  readonly storeUrl: string;
  /** Address of the fleet API's production. */
  readonly fleetUrl: string;
  /** Address of the fleet API's sandbox. */
  readonly sandboxUrl: string;
  /** The store API's token; where the server was made without one, a text that gets 503 like any other. */
  readonly token: string;
  /** The keys of the fleet API; by default the first is a production key with every scope. */
  readonly keys: readonly FleetKey[];
  readonly state: ReferenceState;
  readonly clock: Clock;
  readonly journal: Journal;
  /** A `fetch` that ends here: it never reaches the network, and may be taken off the server. */
  readonly fetch: ReferenceFetch;
  /** @internal The timers that were there when the server was made. */
  readonly timers: Timers;
  readonly #family: Family;
  readonly #tenant: Tenant;
  readonly #initialKeys: readonly FleetKey[];

  /** @internal */
  constructor(family: Family) {
    this.#family = family;
    this.#tenant = family.newMember();
    const { token, keys, clock, journal, store, fleet, sandbox } = this.#tenant;
    const { storeUrl, fleetUrl, sandboxUrl } = family.front.addresses;
    this.storeUrl = storeUrl;
    this.fleetUrl = fleetUrl;
    this.sandboxUrl = sandboxUrl;
    this.token = token;
    this.keys = [...keys.values()];
    this.#initialKeys = this.keys.map((key) => ({ ...key }));
    this.state = { store, fleet, sandbox };
    this.clock = clock;
    this.journal = journal;
    this.timers = family.timers;
    this.fetch = referenceFetch(family.front, family.timers);
  }

  /** Says what is to happen to the next requests of an operation. */
  on(operation: OperationId): OperationOverride {
    const id = checkedOperation(operation);
    return new OperationOverride(this.#tenant.overrides, id, isList(id));
  }

  /** The readings in force. */
  get readings(): Readonly<MockReadings> {
    return { ...this.#tenant.readings };
  }

  /** @internal How many bytes of a body an adapter need read. gap limits.body-size */
  get bodyLimit(): number {
    return this.#tenant.readings["limits.body-size"] === "unlimited" ? Infinity : BODY_LIMIT;
  }

  /** Switches readings from now until `reset()`; data that were looked at before stay as they are. */
  switchReadings(readings: ReadingsOption): void {
    this.#tenant.readings = chosenReadings({ ...this.#tenant.readings, ...readings });
  }

  /** A server of its own behind the same addresses, told apart by its token and keys: for parallel tests. */
  tenant(): ReferenceServer {
    return new ReferenceServer(this.#family);
  }

  /** A copy of the state, the clock and the id sequence. */
  snapshot(): Snapshot {
    return new Snapshot(this.#tenant);
  }

  /** Goes back to a snapshot of this server. */
  restore(snapshot: Snapshot): void {
    if (!(snapshot instanceof Snapshot)) throw new Error("restore: not a snapshot of a reference server");
    snapshot.restore(this.#tenant);
  }

  /** Goes back to the seed: state, id sequence, readings, `on`, clock and journal. */
  reset(): void {
    this.#family.reset(this.#tenant, this.#initialKeys);
  }

  /** The whole server as a plain function, for adapters of one's own: they wait `delay` and commit `fault`. */
  answer(request: CoreRequest): CoreAnswer {
    return this.#family.front.answer(request);
  }

  /** @internal Which base an absolute address belongs to. */
  locate(url: string): ReturnType<Front["locate"]> {
    return this.#family.front.locate(url);
  }
}

/** Makes a reference server of both APIs; two without options are alike. */
export function createReferenceServer(options: ReferenceServerOptions = {}): ReferenceServer {
  return new ReferenceServer(new Family(options));
}
