import { storeInputs } from "../../../generated/store.inputs.ts";
import type { Store, StoreUpsert } from "../../../generated/store.ts";
import { objectOf } from "../../wire/json.ts";
import { namesOf } from "../../wire/names.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok, SerializedJson } from "../server/exchange.ts";
import { listOf, type StoreData, storeLists } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { externalIdOf, requireStore, storedId } from "./ids.ts";
import { readPage } from "./pages.ts";
import { storePage, type StoreRow } from "./store-page.ts";

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
export const putStore: Handler<StoreCall<StoreUpsert>> = {
  find: findReferences,
  check: (call) => [
    ...fieldIssues(call),
    ...externalIdIssues(call),
    ...referenceIssues(call),
    ...loginCodeIssues(call),
    ...openingTimeIssues(call),
  ],
  run: (call) => ok(upsertStore(call)),
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

const { sent: FIELDS, defaults } = storeInputs.StoreUpsert;

/** The fields that are never null. */
const NON_NULL = FIELDS.filter((name) => !(name in defaults));

type UpsertCall = StoreCall<StoreUpsert>;

/** gaps stores.create-requirements, stores.omitted-fields, stores.null-store-type */
function fieldIssues(call: UpsertCall): Issue[] {
  const { body, is, store } = call;
  const isKnown = store.stores.has(externalIdOf(call));
  const required = isKnown
    ? is("stores.omitted-fields", "reject") && FIELDS
    : is("stores.create-requirements", "non-null-fields")
      ? NON_NULL
      : is("stores.create-requirements", "name-only") && (["name"] as const);
  const missing = (required || []).filter((field) => body[field] === undefined);
  const issues = missing.map((path): Issue => ({ path, message: "is required", code: "invalid_type" }));
  if (body.storeType === null && is("stores.null-store-type", "rejected"))
    issues.push({ path: "storeType", message: "must not be null", code: "invalid_type" });
  return issues;
}

/** gap stores.body-external-id */
function externalIdIssues(call: UpsertCall): Issue[] {
  const { body, is, store } = call;
  if (body.externalId === undefined || body.externalId === null || is("stores.body-external-id", "path-wins"))
    return [];
  const path = "externalId";
  const given = storedId(call, body.externalId);
  if (given === externalIdOf(call)) return [];
  if (is("stores.body-external-id", "rejected"))
    return [{ path, message: "must equal the external ID in the path" }];
  if (given === "") return [{ path, message: "must not be empty" }];
  return store.stores.has(given) ? [{ path, message: "is the external ID of another store" }] : [];
}

/** The properties that name another resource. */
const REFERENCES = { regionId: "region", protocolScheduleId: "protocol schedule" } as const;

/** Returns the references of the body that no store has; an empty server knows every resource. */
function unknownReferences({ store, body }: StoreCall): (keyof typeof REFERENCES)[] {
  const stores = store.stores.keyList().map((key) => store.stores.read(key));
  const given = objectOf(body); // a 404 may come before the check of the body
  return namesOf(REFERENCES).filter((name) => {
    const id = given[name];
    return typeof id === "string" && stores.length > 0 && !stores.some((known) => known?.[name] === id);
  });
}

/** Throws a 404 for a region or schedule that does not exist. gap stores.unknown-references */
function findReferences(call: StoreCall): void {
  if (!call.is("stores.unknown-references", "not-found")) return;
  const [name] = unknownReferences(call);
  if (name !== undefined) refuseUnknown(REFERENCES[name], call.is);
}

/** gap stores.unknown-references */
function referenceIssues(call: StoreCall): Issue[] {
  if (!call.is("stores.unknown-references", "invalid")) return [];
  return unknownReferences(call).map((path) => ({ path, message: `is not the ID of a ${REFERENCES[path]}` }));
}

/** gap stores.login-code */
function loginCodeIssues(call: UpsertCall): Issue[] {
  const { body, store, is } = call;
  if (body.loginCode === undefined || is("stores.login-code", "shared")) return [];
  const own = externalIdOf(call);
  const isTaken = store.stores
    .keyList()
    .some((key) => key !== own && store.stores.read(key)?.loginCode === body.loginCode);
  return isTaken ? [{ path: "loginCode", message: "is the login code of another store" }] : [];
}

/** gap stores.opening-times */
function openingTimeIssues({ body: { openingTimes: times }, is }: UpsertCall): Issue[] {
  if (!Array.isArray(times) || is("stores.opening-times", "stored")) return [];
  return times.flatMap(({ weekday, from, to }, index): Issue[] => {
    const path = `openingTimes.${index}`;
    if (to <= from) return [{ path: `${path}.to`, message: "must be after from" }];
    const isRepeated = times.slice(0, index).some((earlier) => earlier.weekday === weekday);
    return isRepeated ? [{ path: `${path}.weekday`, message: "must occur once" }] : [];
  });
}

/** Creates or updates the store and returns it. */
function upsertStore(call: UpsertCall): Store {
  const { body, store, is } = call;
  const key = externalIdOf(call);
  const stored = store.stores.read(key);
  const renamed = is("stores.body-external-id", "renames") ? storedId(call, body.externalId ?? key) : key;
  if (stored === undefined) for (const list of storeLists) listOf(store, list).set(renamed, []);
  else if (renamed !== key) renameStore(store, key, renamed);
  const upserted = { ...mergedStore(call, stored), externalId: renamed };
  store.stores.set(renamed, upserted);
  return upserted;
}

/** gaps stores.omitted-fields, stores.null-opening-times */
function mergedStore(call: UpsertCall, stored: Store | undefined): Store {
  const { body, is } = call;
  const base =
    stored === undefined || is("stores.omitted-fields", "reset")
      ? { ...newStore(call), ...(stored && { storeId: stored.storeId }) }
      : stored;
  const given = FIELDS.filter((field) => body[field] !== undefined).map(
    (field) => [field, body[field]] as const,
  );
  const store: Store = { ...base, ...Object.fromEntries<unknown>(given) }; // every value matches the schema of its field
  if (body.openingTimes !== null) return store;
  const isKept = is("stores.null-opening-times", "keeps");
  return { ...store, openingTimes: (isKept ? stored?.openingTimes : undefined) ?? [] };
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
