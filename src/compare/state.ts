import type * as z from "zod/mini";
import { storeResponses } from "../../generated/store.responses.ts";
import * as strictSchemas from "../../generated/store.strict-schemas.ts";
import { type JsonObject, isObject } from "../internal/json.ts";
import type { ReferenceServerOptions } from "../mock/index.ts";
import { routeOf } from "../proxy/check/operations.ts";

/** A response from which rows are taken. */
export interface SeenResponse {
  readonly api: "store" | "fleet";
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly status: number;
  readonly json: unknown;
}

/** The part of the options that rows become. */
export type SeedOptions = Required<Pick<ReferenceServerOptions, "store" | "fleet">>;

type StoreLists = "contacts" | "expectations" | "expositions" | "protocols" | "photos";

interface SeenStore {
  fields: JsonObject | undefined;
  readonly lists: Partial<Record<StoreLists, JsonObject[]>>;
  readonly images: Map<string, unknown>;
}

const FLEET_LISTS = {
  listVehicles: "vehicles",
  listVehicleGroups: "vehicleGroups",
  listVehicleFields: "vehicleFields",
  listInspections: "inspections",
  listInspectionTemplates: "inspectionTemplates",
  listDamages: "damages",
  listDriverAssignments: "driverAssignments",
} as const;

const FLEET_DETAILS: Readonly<Record<string, FleetResource>> = {
  getVehicle: "vehicles",
  getVehicleGroup: "vehicleGroups",
  getInspection: "inspections",
  getDamage: "damages",
  getDriverAssignment: "driverAssignments",
};

/** A list of the fleet API. */
export type FleetResource = (typeof FLEET_LISTS)[keyof typeof FLEET_LISTS];

/** Collects rows from responses and turns them into the seed of a reference server. */
export class SeenState {
  readonly #stores = new Map<string, SeenStore>();
  readonly #withoutId = new Set<string>();
  #hasStores = false;
  readonly #lists = new Map<FleetResource, Map<string, JsonObject>>();
  readonly #details = new Map<FleetResource, Map<string, JsonObject>>();

  add({ api, method, path, status, json }: SeenResponse): void {
    if (status !== 200 || json === undefined) return;
    const { operation, params } = routeOf(api, method, path);
    if (operation === undefined) return;
    if (api === "fleet") this.#addFleet(operation.id, json);
    else if (isObject(json)) this.#addStore(operation.id, params, json);
  }

  #addStore(operation: string, { externalId = "", protocolId = "" }: Readonly<Record<string, string>>, body: JsonObject): void {
    switch (operation) {
      case "listStores":
        this.#hasStores = true;
        for (const row of objectsIn(body["items"])) this.#addFields(row);
        return;
      case "getStore":
      case "putStore":
        this.#addFields(body);
        return;
      case "getProtocol":
        this.#storeOf(externalId).images.set(protocolId, body["images"]);
        return;
      default:
        this.#addList(operation, externalId, body);
    }
  }

  #addList(operation: string, externalId: string, body: JsonObject): void {
    const name = /(contacts|expectations|expositions|protocols|photos)$/i.exec(operation)?.[1]?.toLowerCase();
    if (name === undefined || externalId === "") return;
    const { lists } = this.#storeOf(externalId);
    const list = name as StoreLists; // the names in the pattern
    const rows = objectsIn(body["items"] ?? body["photos"] ?? body["data"]);
    const isPaged = list === "protocols" || list === "photos";
    lists[list] = isPaged ? withoutRepeats([...(lists[list] ?? []), ...rows]) : rows;
  }

  #storeOf(externalId: string): SeenStore {
    const known = this.#stores.get(externalId);
    if (known !== undefined) return known;
    const made: SeenStore = { fields: undefined, lists: {}, images: new Map() };
    this.#stores.set(externalId, made);
    return made;
  }

  #addFields(row: JsonObject): void {
    const { externalId, storeId } = row;
    if (typeof externalId === "string" && externalId !== "") this.#storeOf(externalId).fields = row;
    else if (externalId === null) this.#withoutId.add(String(storeId));
  }

  #addFleet(operation: string, json: unknown): void {
    const resource = (FLEET_LISTS as Readonly<Record<string, FleetResource>>)[operation];
    if (resource !== undefined) {
      const rows = isObject(json) ? (json["data"] ?? firstArray(json)) : json;
      const own = this.#lists.get(resource) ?? new Map<string, JsonObject>();
      this.#lists.set(resource, own);
      for (const row of objectsIn(rows)) addById(own, row);
    }
    const detail = FLEET_DETAILS[operation];
    if (detail === undefined || !isObject(json)) return;
    const own = this.#details.get(detail) ?? new Map<string, JsonObject>();
    this.#details.set(detail, own);
    addById(own, isObject(json["data"]) ? json["data"] : json);
  }

  /** External IDs, in the order in which they were seen. */
  get externalIds(): string[] {
    return [...this.#stores].flatMap(([id, { fields }]) => (fields === undefined ? [] : [id]));
  }

  listOf(externalId: string, name: StoreLists): readonly JsonObject[] {
    return this.#stores.get(externalId)?.lists[name] ?? [];
  }

  rowsOf(resource: FleetResource): readonly JsonObject[] {
    return [...(this.#lists.get(resource)?.values() ?? [])];
  }

  /** Whether a list of the fleet API was seen. */
  has(resource: FleetResource): boolean {
    return this.#lists.has(resource);
  }

  /** Members of a detail that its row in the list does not have: the list of a seeded server has them as well. */
  addedMembers(resource: FleetResource): Set<string> {
    const details = this.#details.get(resource);
    const names = [...(details ?? [])].flatMap(([id, detail]) => {
      const row = this.#lists.get(resource)?.get(id) ?? {};
      return Object.keys(detail).filter((name) => !Object.hasOwn(row, name));
    });
    return new Set(names);
  }

  /** The options of a server with these rows; what was not seen is left to the server. */
  seed(): SeedOptions {
    const stores = [...this.#stores].flatMap(([id, store]) => storeSeed(id, store) ?? []);
    const fleet = [...new Set([...this.#lists.keys(), ...this.#details.keys()])].map((resource) => [
      resource,
      this.#fleetRows(resource),
    ]);
    const isSeen = this.#hasStores || stores.length > 0;
    return {
      // rows of responses, checked against the strict schemas
      store: (isSeen ? { stores, storesWithoutId: this.#withoutId.size } : {}) as SeedOptions["store"],
      fleet: Object.fromEntries(fleet) as SeedOptions["fleet"],
    };
  }

  #fleetRows(resource: FleetResource): JsonObject[] {
    const rows = new Map(this.#lists.get(resource));
    for (const [id, detail] of this.#details.get(resource) ?? [])
      rows.set(id, { ...withoutDamages(resource, detail), ...rows.get(id) });
    return [...rows.values()].map((row) => withoutDamages(resource, row));
  }
}

/** The damages of an inspection are rows of their own. */
function withoutDamages(resource: FleetResource, row: JsonObject): JsonObject {
  if (resource !== "inspections") return row;
  const { damages: _, ...rest } = row;
  return rest;
}

function addById(rows: Map<string, JsonObject>, row: JsonObject): void {
  const { id } = row;
  if (typeof id === "string" && id !== "" && !rows.has(id)) rows.set(id, row);
}

function storeSeed(externalId: string, { fields, lists, images }: SeenStore): JsonObject | undefined {
  const store = { ...fields, externalId };
  if (fields === undefined || !fits(strictSchemas.zPutStoreBody, store) || !fits(storeResponses.getStore[200], store))
    return undefined;
  const { contacts = [], expectations = [], expositions = [], protocols = [], photos = [] } = lists;
  const valid = (rows: JsonObject[], name: string, body: z.ZodMiniType): JsonObject[] =>
    rows.filter((row) => fits(body, { [name]: [row] }));
  return {
    ...store,
    contacts: valid(contacts, "contacts", strictSchemas.zPutContactsBody),
    expectations: valid(expectations, "expectations", strictSchemas.zPutExpectationsBody),
    expositions: valid(expositions, "expositions", strictSchemas.zPutExpositionsBody),
    protocols: protocols.map((row) => protocolSeed(row, images)),
    // members that a service does not show must not be made
    photos: photos.map(({ id, ...row }) => ({
      fillRate: undefined,
      expositionId: undefined,
      ...(id !== undefined && row["photoId"] === undefined && { photoId: id }),
      ...row,
    })),
  };
}

/** gap protocols.id-member */
function protocolSeed({ id, ...row }: JsonObject, images: ReadonlyMap<string, unknown>): JsonObject {
  const protocolId = row["protocolId"] ?? id;
  const own = images.get(String(protocolId));
  return {
    externalId: undefined,
    ...row,
    ...(protocolId !== undefined && { protocolId }),
    ...(Array.isArray(own) && { images: own }),
  };
}

function fits(schema: z.ZodMiniType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

function withoutRepeats(rows: readonly JsonObject[]): JsonObject[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const id = row["protocolId"] ?? row["photoId"] ?? row["id"];
    const key = typeof id === "string" ? id : JSON.stringify(row);
    return !seen.has(key) && seen.add(key);
  });
}

export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** gap fleet.unshown-answers */
function firstArray(json: JsonObject): unknown {
  return Object.values(json).find((value) => Array.isArray(value));
}
