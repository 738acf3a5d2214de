import { storeUpsert } from "../../../generated/store.inputs.ts";
import type { Exposition, Store, StoreUpsert } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok, refuseIssues, SerializedJson } from "../server/exchange.ts";
import { listOf, type StoreData, storeLists } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { readPage, storePage, type StoreRow } from "./pages.ts";

/** Returns the external ID of the store in the path, as the service has or would store it. */
export function externalIdOf(call: StoreCall): string {
  return storedId(call, call.params.externalId);
}

const normalize = (id: string): string => id.normalize("NFC").trim().toLowerCase();

/** Returns the form in which the service has, or would store, an external ID. gap stores.external-id-equality */
export function storedId({ store, is }: StoreCall, id: string): string {
  if (is("stores.external-id-equality", "exact") || store.stores.has(id)) return id;
  return store.stores.keyList().find((key) => normalize(key) === normalize(id)) ?? normalize(id);
}

/** Throws a 404 if no store has the external ID in the path. */
export function requireStore(call: StoreCall): void {
  if (!call.store.stores.has(externalIdOf(call))) refuseUnknown("store");
}

/** Returns the store in the path, which `requireStore` has found. */
export function storeOf(call: StoreCall): Store {
  return call.store.stores.read(externalIdOf(call)) as Store; // it exists
}

/** Finds an exposition by its UUID, ignoring case. */
export function expositionOf(call: StoreCall, id: string): Exposition | undefined {
  const wanted = id.toLowerCase();
  const expositions = call.store.expositions.get(externalIdOf(call)) ?? [];
  return expositions.find(({ expositionId }) => expositionId.toLowerCase() === wanted);
}

/** `GET /v1/stores` */
export const listStores: Handler<StoreCall> = {
  run: (call) => {
    const { items, nextCursor } = readPage(
      call,
      call.query.cursor,
      (cursor) => storePage(call, cursor),
      (applications, rows) => shiftStores(call, applications, rows),
    );
    const stores = items.map(({ json }) => json).join(",");
    return ok(new SerializedJson(`{"items":[${stores}],"nextCursor":${JSON.stringify(nextCursor)}}`));
  },
};

/** `GET /v1/stores/{externalId}` */
export const getStore: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => ok(new SerializedJson(call.store.stores.readJson(externalIdOf(call)))),
};

/** `PUT /v1/stores/{externalId}` */
export const putStore: Handler<UpsertCall> = {
  run: (call) => {
    refuseIssues([...fieldIssues(call), ...externalIdIssues(call)]);
    return ok(upsertStore(call));
  },
};

/** Changes the list between two pages: adds a store before all others, or deletes the store that was returned last. */
function shiftStores(
  { store, server }: StoreCall,
  applications: number,
  delivered: readonly StoreRow[],
): void {
  const key = delivered.findLast(({ externalId }) => externalId !== null)?.externalId ?? "";
  const last = store.stores.read(key);
  if (last === undefined) return;
  if (applications % 2 === 0) store.stores.delete(key);
  else {
    const externalId = `!${applications}`;
    store.stores.set(externalId, { ...structuredClone(last), externalId, storeId: server.ids.uuid() });
  }
}

const { sent: FIELDS, defaults } = storeUpsert;

/** The fields that are never null. */
const NON_NULL = FIELDS.filter((name) => !(name in defaults));

type UpsertCall = StoreCall<StoreUpsert>;

/** gaps stores.create-requirements, stores.omitted-fields, stores.null-store-type */
function fieldIssues(call: UpsertCall): Issue[] {
  const { body, is, store } = call;
  const isWhole = store.stores.has(externalIdOf(call)) && is("stores.omitted-fields", "reject");
  const isComplete =
    !store.stores.has(externalIdOf(call)) && is("stores.create-requirements", "non-null-fields");
  const missing = (isWhole ? FIELDS : isComplete ? NON_NULL : []).filter(
    (field) => body[field] === undefined,
  );
  const issues = missing.map((path): Issue => ({ path, message: "is required", code: "invalid_type" }));
  if (body.storeType === null && is("stores.null-store-type", "rejected"))
    issues.push({ path: "storeType", message: "must not be null", code: "invalid_type" });
  return issues;
}

/** gap stores.body-external-id */
function externalIdIssues(call: UpsertCall): Issue[] {
  const { body, is, store } = call;
  if (is("stores.body-external-id", "path-wins") || (body.externalId ?? null) === null) return [];
  const path = "externalId";
  const given = storedId(call, body.externalId ?? "");
  if (given === externalIdOf(call)) return [];
  if (is("stores.body-external-id", "rejected"))
    return [{ path, message: "must equal the external ID in the path" }];
  if (given === "") return [{ path, message: "must not be empty" }];
  return store.stores.has(given) ? [{ path, message: "is the external ID of another store" }] : [];
}

/** Creates or updates the store and returns it. */
function upsertStore(call: UpsertCall): Store {
  const { body, store, is } = call;
  const key = externalIdOf(call);
  const stored = store.stores.read(key);
  const externalId = is("stores.body-external-id", "renames") ? storedId(call, body.externalId ?? key) : key;
  if (stored === undefined) for (const list of storeLists) listOf(store, list).set(externalId, []);
  else if (externalId !== key) renameStore(store, key, externalId);
  const upserted: Record<string, unknown> = { ...baseOf(call, stored) };
  for (const field of FIELDS) if (body[field] !== undefined) upserted[field] = body[field];
  upserted.openingTimes ??= [];
  upserted.externalId = externalId;
  store.stores.set(externalId, upserted as unknown as Store); // the schema has checked each field
  return upserted as unknown as Store; // as above
}

/** Returns the fields that the request leaves out. gap stores.omitted-fields */
function baseOf(call: UpsertCall, stored: Store | undefined): Store {
  if (stored === undefined) return newStore(call);
  if (call.is("stores.omitted-fields", "reset")) return { ...newStore(call), storeId: stored.storeId };
  return stored;
}

/** The fields that a new store gets if the request leaves them out. gap stores.create-requirements */
function newStore(call: StoreCall): Store {
  const random = call.server.ids.next();
  return {
    storeId: random.uuid(),
    externalId: null,
    name: externalIdOf(call),
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
