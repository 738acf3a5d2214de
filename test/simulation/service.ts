/** The simulated service: a model server with tokens that change, a rate limit, and a record of what was applied. */
import type { Model, ModelRequest, ModelResponse } from "../models/exchange.ts";
import { tableScopes } from "../models/fleet-access.ts";
import { createFleetModel } from "../models/fleet-model.ts";
import type { Collection } from "../models/fleet-state.ts";
import { createRandom } from "../models/random.ts";
import { createStoreModel } from "../models/store-model.ts";
import { protocolId } from "../models/store-views.ts";
import { type VirtualClock, wallTime } from "./clock.ts";
import { changeFleetList, changeStoreList } from "./list-changes.ts";
import type { Director } from "./director.ts";
import type { Change, Fault, Json, ListChange, Scenario } from "./scenario.ts";
import { createStoreState, storeId } from "./store-data.ts";
import { Truth } from "./truth.ts";

/** A model, and what the service does with its data. */
interface ServiceModel extends Model<object> {
  readonly readings: object;
  changeList(kind: ListChange, list: string, place: number): void;
  idAt(collection: string, index: number): string | undefined;
  /** The list that a request asks for, and where its page begins there, from 0 up to 1. */
  placeOf(url: URL): ListPlace | undefined;
}

interface ListPlace {
  readonly list: string;
  readonly place: number;
}

/** One write of a call that took effect. */
interface Application {
  readonly call: string;
  /** Sending the request again changed something. */
  readonly harmful: boolean;
}

export interface ServiceRequest extends ModelRequest {
  /** The call or walk that the request belongs to. */
  readonly call: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A fault inside the service. */
  readonly fault?: Fault["kind"] | undefined;
}

const lastPlace = 0.9999;

export class Service {
  readonly readings: Record<string, string>;
  /** The readings that the model asked for, as `gap: reading`. */
  readonly requested = new Set<string>();
  readonly applications: Application[] = [];
  /** The authors of the changes, in order: the name of a call, or `elsewhere`. */
  readonly writers: string[] = [];
  /** The changes by other writers that took effect, in order. */
  readonly changes: Change[] = [];
  /** Every token that was ever valid. */
  readonly tokens: string[] = [];
  readonly #model: ServiceModel;
  readonly #clock: VirtualClock;
  readonly #scenario: Scenario;
  readonly #truths = new Set<Truth>();
  #throttle = 0;
  #lastWriter = "";

  constructor(scenario: Scenario, clock: VirtualClock, director: Director) {
    this.#scenario = scenario;
    this.#clock = clock;
    this.#model = this.#createModel();
    this.readings = { ...this.#model.readings };
    this.#recordReadings(director);
    this.#addToken();
  }

  get token(): string {
    return this.tokens.at(-1) as string; // the constructor adds one
  }

  /** Makes another token the valid one. */
  #addToken(): void {
    const random = createRandom(this.#scenario.seed * 31 + this.tokens.length);
    const hex = Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join("");
    this.tokens.push(this.#scenario.api === "store" ? `token-${hex.slice(0, 24)}` : `fleet_test_${hex}`);
  }

  handle(request: ServiceRequest): ModelResponse {
    const isKnown = request.headers["authorization"] === `Bearer ${this.token}`;
    if (isKnown && this.#isThrottled()) return this.#tooMany();
    const isRepeated = this.applications.some(({ call }) => call === request.call);
    const before = isRepeated ? fingerprint(this.#model.state) : "";
    const count = this.#model.applied.length;
    const { fault } = request;
    const model = fault === "stale" && request.method === "GET" ? this.#createReplica() : this.#model;
    const kept = fault === "unstored" ? structuredClone(this.#model.state) : undefined;
    const response = model.handle({ ...request, target: this.#targetUnder(request) });
    if (kept !== undefined) this.#model.change((state) => Object.assign(state, kept));
    else if (this.#model.applied.length > count) this.#apply(request.call, before);
    return response;
  }

  #createModel(): ServiceModel {
    const token = (): string => this.token;
    const create = this.#scenario.api === "store" ? storeModel : fleetModel;
    return create(this.#scenario, this.#clock, token);
  }

  /** The service with the data of the beginning. */
  #createReplica(): ServiceModel {
    const replica = this.#createModel();
    Object.assign(replica.readings, this.readings);
    return replica;
  }

  /** The data, for comparisons. The number of requests is a part of it where responses depend on it. */
  get state(): object {
    const isCounted =
      this.#scenario.world.signed === true || this.readings["protocols.next-page"] === "ignored-new-cursor";
    return isCounted ? this.#model.state : { ...this.#model.state, requests: 0 };
  }

  #apply(call: string, before: string): void {
    // where another writer came in between, the second effect undoes the other's
    const harmful = before !== "" && this.#lastWriter === call && fingerprint(this.#model.state) !== before;
    this.applications.push({ call, harmful });
    this.writers.push(call);
    this.#lastWriter = call;
    this.#updateTruths();
  }

  /** The list that changes, and where; undefined where a request has no place in a list. */
  placeOf({ list, place }: Exclude<Change, { kind: "revoke" }>, next: URL): ListPlace | undefined {
    return place === "request" ? this.#model.placeOf(next) : { list, place };
  }

  /** @param next of the request that arrives next */
  change(change: Change, next: URL): void {
    if (change.kind === "revoke") return this.#addToken();
    const { kind } = change;
    const target = this.placeOf(change, next);
    if (target === undefined) return;
    if (kind === "swap") {
      this.#model.changeList("add", target.list, lastPlace);
      this.#model.changeList("remove", target.list, target.place);
    } else this.#model.changeList(kind, target.list, target.place);
    this.changes.push(change);
    this.#lastWriter = "";
    this.writers.push("elsewhere");
    this.#updateTruths();
  }

  #updateTruths(): void {
    for (const truth of this.#truths) truth.update();
  }

  /** Follows the list behind a target until `release`. */
  follow(target: string): Truth {
    const truth = new Truth(() => this.#readList(target));
    this.#truths.add(truth);
    return truth;
  }

  release(truth: Truth): void {
    this.#truths.delete(truth);
  }

  /** The data that the service returns for a GET; undefined if it rejects the request. */
  read(target: string): Readonly<Record<string, Json>> | undefined {
    const headers = { authorization: `Bearer ${this.token}`, "x-service-api-version": "v1" };
    const { status, body } = this.#model.handle({ method: "GET", target, headers, isWhole: true });
    return status === 200 ? (JSON.parse(body) as Record<string, Json>) : undefined; // models respond with objects
  }

  #readList(target: string): readonly Json[] | undefined {
    const json = this.read(target);
    const list = json?.["items"] ?? json?.["photos"] ?? json?.["data"];
    return Array.isArray(list) ? list : undefined;
  }

  /** Puts the IDs of the service in the place of names such as `$vehicles.2`. */
  resolve<T extends object>(step: T): T {
    const text = JSON.stringify(step);
    if (!text.includes("$")) return step;
    const idAt = (_: string, collection: string, index: string): string =>
      collection === "token" ? this.token : (this.#model.idAt(collection, Number(index)) ?? "unknown");
    return JSON.parse(text.replace(/\$([a-z-]+)\.(\d+)/g, idAt)) as T; // only strings change
  }

  /** The target that the service understands. */
  #targetUnder({ target, fault }: ServiceRequest): string {
    if (fault === "page") return target.replace(/(cursor|page)=[^&]*&?/, "");
    if (fault !== "other") return target;
    const [one, other] = [0, 1].map((index) => this.#model.idAt("vehicles", index)) as [string, string];
    return target.replace(storeId(0), storeId(1)).replace(one, other);
  }

  /** Under the readings of a limited rate, one request in 20 ms. */
  #isThrottled(): boolean {
    const { readings } = this;
    const { accepts } = this.#scenario.world;
    if (accepts !== undefined) {
      this.#accepted = this.#accepted.filter((at) => at > this.#clock.now - 1000);
      if (this.#accepted.length >= accepts) return true;
      this.#accepted.push(this.#clock.now);
      return false;
    }
    const reading = readings["limits.store-rate"] ?? readings["limits.fleet-rate"];
    this.requested.add(
      `${this.#scenario.api === "store" ? "limits.store-rate" : "limits.fleet-rate"}: ${reading}`,
    );
    if (reading !== "too-many-requests") return false;
    const isEarly = this.#clock.now < this.#throttle;
    if (!isEarly) this.#throttle = this.#clock.now + 20;
    return isEarly;
  }

  /** The times of the requests that were accepted in the last second. */
  #accepted: number[] = [];

  #tooMany(): ModelResponse {
    const headers: Record<string, string> = this.#scenario.seed % 2 === 0 ? { "retry-after": "1" } : {};
    return { status: 429, headers, body: "" };
  }

  #recordReadings(director: Director): void {
    for (const [gap, planned] of Object.entries(this.readings)) {
      const get = (): string => {
        const value = director.reading(gap, planned);
        this.readings[gap] = value;
        this.requested.add(`${gap}: ${value}`);
        Object.defineProperty(this.#model.readings, gap, { value });
        return value;
      };
      Object.defineProperty(this.#model.readings, gap, { get, configurable: true });
    }
  }
}

/** Properties that a repeated write may change, because the body does not decide them. */
const incidental = new Set([
  "contactId",
  "expectationId",
  "createdAt",
  "updatedAt",
  "ids",
  "requests",
  "remembered",
]);

function fingerprint(state: object): string {
  return JSON.stringify(state, (name, value: unknown) => (incidental.has(name) ? undefined : value));
}

type CreateModel = (scenario: Scenario, clock: VirtualClock, token: () => string) => ServiceModel;

const storeModel: CreateModel = ({ seed, readings, world }, clock, token) => {
  const model = createStoreModel({
    readings,
    state: createStoreState(seed, world),
    variant: world,
    token,
    now: () => wallTime(clock),
    rate: "off",
  });
  const { state } = model;
  return Object.assign(model, {
    changeList: (kind: ListChange, list: string, place: number) =>
      model.change(() => changeStoreList(state, kind, list, place)),
    placeOf: ({ searchParams }: URL) => {
      const cursor = searchParams.get("cursor");
      const { stores } = state;
      const protocols = stores[0]?.protocols ?? [];
      const store = stores.findIndex((record) => record.store.externalId === cursor);
      if (store >= 0) return { list: "stores", place: (store + 0.5) / stores.length };
      const protocol = protocols.findIndex((one) => cursor === `after.${one.protocolId}`);
      return protocol === -1 ? undefined : { list: "protocols", place: (protocol + 0.5) / protocols.length };
    },
    idAt: (collection: string, index: number) => {
      const [first] = state.stores;
      if (collection === "expositions") return first?.expositions[index]?.expositionId;
      const protocol = first?.protocols[index];
      return protocol && protocolId(protocol, model.readings);
    },
  });
};

const fleetModel: CreateModel = ({ seed, readings, world, client }, clock, token) => {
  const { entities, twins } = world;
  const sizes = {
    vehicles: entities,
    "vehicle-groups": 1 + (entities % 3),
    "vehicle-fields": 2 + (entities % 4),
    "inspection-templates": 2 + (entities % 5),
    inspections: entities % 6,
    damages: entities % 7,
    "driver-assignments": entities % 5,
  };
  const scopes = tableScopes.filter((scope) => client.readOnly !== true || scope.endsWith(":read"));
  const key = { key: "", scopes };
  const model = createFleetModel({
    readings,
    seed,
    sizes,
    vehicles: entities,
    variant: world,
    findKey: (authorization) => (authorization === `Bearer ${token()}` ? key : undefined),
    now: () => wallTime(clock),
    rate: "off",
  });
  const { state } = model;
  const [first, second] = state.entities.vehicles;
  if (twins === true && second) second.properties["plateNumber"] = first?.properties["plateNumber"] ?? "";
  return Object.assign(model, {
    changeList: (kind: ListChange, list: string, place: number) =>
      model.change(() => changeFleetList(state, kind, list, place)),
    placeOf: ({ pathname, searchParams }: URL) => {
      const list = pathname.split("/").at(-1) ?? "";
      const { length } = state.entities[list as Collection] ?? [];
      const before = (Number(searchParams.get("page") ?? 1) - 1) * Number(searchParams.get("limit") ?? 50);
      return before === 0 || before > length ? undefined : { list, place: (before - 0.5) / length };
    },
    idAt: (collection: string, index: number) => state.entities[collection as Collection][index]?.id,
  });
};
