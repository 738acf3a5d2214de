import { storeContract } from "../../../generated/store.contract.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";
import { type RecordedList, keyOf } from "./recorded-list.ts";

/** The lists that a PUT replaces or extends. */
export type ReplacedList = "contacts" | "expectations" | "expositions";

/** The data of a store in the responses. */
export interface ObservedStore {
  fields: JsonObject | undefined;
  readonly lists: Partial<Record<ReplacedList, JsonObject[]>>;
  /** The responses to upserts of expositions since the last complete list. */
  readonly upserts: JsonObject[][];
  readonly protocols: RecordedList;
  readonly photos: RecordedList;
  /** The responses for one protocol, by its ID in the path. */
  readonly details: Map<string, JsonObject>;
}

/** The number of values that no response shows, by what they are. */
export type Invented = Map<string, number>;

function addInvented(invented: Invented, what: string, count: number): void {
  if (count > 0) invented.set(what, (invented.get(what) ?? 0) + count);
}

/** Returns the seed of a store; `undefined` if its fields violate the contract. */
export function storeSeed(
  externalId: string,
  observed: ObservedStore,
  readings: Readonly<Record<string, unknown>>,
  invented: Invented,
  omitted: string[],
): JsonObject | undefined {
  const { fields, lists } = observed;
  if (fields === undefined) return undefined;
  // a response may leave out null. gap responses.nullable-properties
  const store = { location: null, regionId: null, storeType: null, ...fields, externalId };
  const { success, error } = storeContract.getStore.responses[200].schema.safeParse(store);
  if (!success) {
    omitted.push(
      `store "${externalId}": ${error.issues.map(({ path }) => path.join(".")).join(", ")} invalid`,
    );
    return undefined;
  }
  const { contacts, expectations } = lists;
  return {
    ...store,
    contacts: seedRows(contacts, { email: null }),
    expectations: seedRows(expectations, { productCategory: null }),
    expositions: seedRows(expositionsOf(observed, readings), { friendlyTitle: null }),
    protocols: protocolSeeds(observed, readings, invented),
    photos: photoSeeds(observed, readings, invented),
  };
}

/** Returns the expositions after all upserts. gaps expositions.response, expositions.absent */
function expositionsOf(
  { lists, upserts }: ObservedStore,
  readings: Readonly<Record<string, unknown>>,
): JsonObject[] {
  let known = lists.expositions ?? [];
  for (const rows of upserts) {
    const isWhole =
      readings["expositions.response"] !== "sent" || readings["expositions.absent"] === "delete";
    const isDisabled = readings["expositions.absent"] === "disable";
    const others = isWhole ? [] : known.map((row) => (isDisabled ? { ...row, status: "disabled" } : row));
    known = [...new Map([...others, ...rows].map((row) => [row["expositionId"], row])).values()];
  }
  return known;
}

/** Returns the rows of a list. `nulls`: properties that a response may leave out. gap responses.nullable-properties */
function seedRows(rows: readonly JsonObject[] = [], nulls: JsonObject): JsonObject[] {
  return rows.map((row) => ({ ...nulls, ...withOffsets(row) }));
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** The server leaves offsets out if its reading says so. gap date-times.forms */
function withOffsets(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" && LOCAL_TIME.test(value) ? `${value}Z` : value,
    ]),
  );
}

/** Returns the protocols with what the service returned for each. gap protocols.id-property */
function protocolSeeds(
  { protocols, details }: ObservedStore,
  readings: Readonly<Record<string, unknown>>,
  invented: Invented,
): JsonObject[] {
  const listed = new Set(protocols.rows.map(keyOf));
  const unlisted = [...details].filter(([id, detail]) => !listed.has(id) && !listed.has(keyOf(detail)));
  const rows = [...protocols.rows, ...unlisted.map(([, { images: _, ...row }]) => row)];
  const { times, invented: count } = protocols.timesOf(rows, readings["protocols.order"] === "newest-first");
  addInvented(invented, "times of protocols", count);
  return rows.map((row) => {
    const id = row["protocolId"] ?? row["id"];
    const detail = details.get(String(id));
    return {
      externalId: undefined,
      ...withOffsets({ ...row, ...detail }),
      images: undefined,
      ...(id !== undefined && { protocolId: id }),
      createdAt: times.get(row),
      $recorded: { list: row, ...(detail && { detail }), queries: protocols.queriesOf(row) },
    };
  });
}

/** Returns the photos with what the service returned for each. */
function photoSeeds(
  { photos, details }: ObservedStore,
  readings: Readonly<Record<string, unknown>>,
  invented: Invented,
): JsonObject[] {
  const images = [...details].flatMap(([protocolId, detail]) =>
    objectsIn(detail["images"]).map((image) => ({ protocolId, image })),
  );
  const listed = new Set(photos.rows.map(keyOf));
  // gap photos.page-shape
  const rows = [...photos.rows, ...images.map(({ image }) => image).filter((row) => !listed.has(keyOf(row)))];
  const { times, invented: count } = photos.timesOf(rows, readings["photos.order"] === "newest-first");
  addInvented(invented, "times of photos", count);
  addInvented(invented, "statuses of photos", rows.filter((row) => typeof row["status"] !== "string").length);
  return rows.map((row) => {
    const protocolId = images.find(({ image }) => keyOf(image) === keyOf(row))?.protocolId;
    return {
      status: undefined,
      fillRate: undefined,
      protocolId: protocolId ?? photos.filterOf(row, "protocolId"),
      expositionId: photos.filterOf(row, "expositionId"),
      ...withOffsets(row),
      photoId: keyOf(row),
      createdAt: times.get(row),
      $recorded: { list: row, queries: photos.queriesOf(row) },
    };
  });
}
