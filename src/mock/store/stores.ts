import { storeUpsert } from "../../../generated/store.inputs.ts";
import type { JsonObject, Store, StoreUpsert } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok, Refusal, refuseIssues, type Reply } from "../server/exchange.ts";
import { parseInstant } from "../server/clock.ts";
import { isPathId } from "../server/operations.ts";
import type { Random } from "../server/random.ts";
import { nameValue, suggest } from "../server/quotes.ts";
import { listOf, type StoreData, type StoreList, storeLists, type StoreRows } from "./data.ts";
import { storePage } from "./pages.ts";

/** Throws a 404 for an ID of which there is no resource; `known` are the IDs that exist. */
export function refuseUnknown(
  what: "store" | "protocol" | "exposition",
  id: string,
  known: Parameters<typeof suggest>[1],
): never {
  const property = what === "store" ? "external ID" : "ID";
  throw new Refusal(404, { message: `No ${what} has the ${property} ${nameValue(id)}${suggest(id, known)}` });
}

/** Throws a 404 if no store has the external ID in the path. */
export function requireStore({ store: { stores }, params: { externalId } }: StoreCall): void {
  if (!stores.has(externalId)) refuseUnknown("store", externalId, stores);
}

/** Returns the rows of a list of the store in the path. */
export function rowsOf<List extends StoreList>({ store, params }: StoreCall, list: List): StoreRows[List][] {
  const lists: { readonly [Name in StoreList]: Map<string, StoreRows[Name][]> } = store;
  return lists[list].get(params.externalId) ?? [];
}

/** Returns a response without the offsets of its date-times under a reading of gap date-times.forms. */
export function timedReply({ is }: StoreCall, body: JsonObject): Reply {
  if (is("date-times.forms", "rfc3339")) return ok(body);
  const withoutOffsets: unknown = JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    const time = name.endsWith("At") && typeof value === "string" ? parseInstant(value) : Number.NaN;
    return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, -1);
  });
  return ok(withoutOffsets);
}

/** `GET /v1/stores` */
export const listStores: Handler<StoreCall> = {
  run: (call) => ok(storePage(call)),
};

/** `GET /v1/stores/{externalId}` */
export const getStore: Handler<StoreCall> = {
  find: requireStore,
  run: ({ store, params }) => ok(store.stores.get(params.externalId)),
};

type UpsertCall = StoreCall<StoreUpsert>;

/** `PUT /v1/stores/{externalId}` */
export const putStore: Handler<UpsertCall> = {
  run: (call) => {
    const stored = call.store.stores.read(call.params.externalId);
    refuseIssues([...fieldIssues(call, stored), ...externalIdIssues(call)]);
    return ok(upsertStore(call, stored));
  },
};

const { sent: FIELDS, defaults } = storeUpsert;

/** The fields that are never null. */
const NON_NULL = FIELDS.filter((name) => !(name in defaults));

/** gaps stores.create-requirements, stores.omitted-fields, stores.null-store-type */
function fieldIssues({ body, is }: UpsertCall, stored: Store | undefined): Issue[] {
  const created = is("stores.create-requirements", "non-null-fields") ? NON_NULL : [];
  const updated = is("stores.omitted-fields", "reject") ? FIELDS : [];
  const missing = (stored === undefined ? created : updated).filter((field) => body[field] === undefined);
  const issues = missing.map((path): Issue => ({ path, message: "is required", code: "invalid_type" }));
  if (body.storeType === null && is("stores.null-store-type", "rejected"))
    issues.push({ path: "storeType", message: "must not be null", code: "invalid_type" });
  return issues;
}

/** gap stores.body-external-id */
function externalIdIssues({ body, is, store, params }: UpsertCall): Issue[] {
  const path = "externalId";
  const given = body.externalId ?? params.externalId;
  if (is("stores.body-external-id", "path-wins") || given === params.externalId) return [];
  if (is("stores.body-external-id", "rejected"))
    return [{ path, message: "must equal the external ID in the path" }];
  if (!isPathId(given)) return [{ path, message: "must be a text that a path can contain" }];
  return store.stores.has(given) ? [{ path, message: "is the external ID of another store" }] : [];
}

/** Creates or updates the store and returns it. gaps stores.body-external-id, stores.omitted-fields */
function upsertStore(call: UpsertCall, stored: Store | undefined): Store {
  const { body, store, is, params } = call;
  const key = params.externalId;
  const externalId = is("stores.body-external-id", "renames") ? (body.externalId ?? key) : key;
  if (stored === undefined) for (const list of storeLists) listOf(store, list).set(externalId, []);
  else if (externalId !== key) renameStore(store, key, externalId);
  const isReset = is("stores.omitted-fields", "reset");
  const initial = stored === undefined || isReset ? newStore(key, call.server.ids.next()) : stored;
  const upserted: Record<string, unknown> = { ...initial, storeId: (stored ?? initial).storeId, externalId };
  for (const field of FIELDS) if (body[field] !== undefined) upserted[field] = body[field];
  upserted.openingTimes ??= [];
  store.stores.set(externalId, upserted as unknown as Store); // the schema has checked each field
  return upserted as unknown as Store; // as above
}

/** The fields that a new store gets if the request leaves them out. gap stores.create-requirements */
export function newStore(externalId: string, random: Random): Store {
  return {
    storeId: random.uuid(),
    externalId,
    name: externalId,
    location: null,
    regionId: null,
    storeType: null,
    openingTimes: [],
    protocolScheduleId: random.uuid(),
    protocolCronEnabled: false,
    onboardingComplete: false,
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

function renameStore(data: StoreData, from: string, to: string): void {
  data.stores.delete(from);
  for (const list of storeLists) {
    const rows = listOf(data, list);
    rows.set(to, rows.get(from) ?? []);
    rows.delete(from);
  }
  for (const protocol of data.protocols.get(to) ?? [])
    if (protocol.externalId === from) protocol.externalId = to;
}
