import { type ApiResponse, type Issue, ok, SerializedJson } from "../../http/api-response.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { type CursorPage, readPage } from "./faulty-pages.ts";
import { externalIdOf, requireStore, storedId } from "./path-ids.ts";
import { storePage, type StoreRow } from "./store-page.ts";
import { storeInputs } from "../../../../generated/store.inputs.ts";
import type { Store, StoreUpsert } from "../../../../generated/store.ts";
import type { StoreData } from "./data.ts";
import { notFound } from "./errors.ts";
import { listsOf } from "./seed/list-rules.ts";
import { objectOf } from "../../../wire/json.ts";
import { namesOf } from "../../../wire/names.ts";

/** `GET /v1/stores` */
export const listStores: StoreHandler = {
  run: (context) => {
    const read = (cursor: string | undefined) => storePage(context, cursor);
    const page = readPage(context.paging, context.query.cursor, read, (applications, rows) =>
      shiftStores(context, applications, rows),
    );
    return "status" in page ? page : ok(pageJson(page));
  },
};

/** `GET /v1/stores/{externalId}` */
export const getStore: StoreHandler = {
  find: requireStore,
  run: (context) => ok(new SerializedJson(context.data.stores.readJson(externalIdOf(context)))),
};

/** `PUT /v1/stores/{externalId}` */
export const putStore: StoreHandler<StoreUpsert> = {
  find: findReferences,
  check: checkUpsert,
  run: (context) => ok(upsertStore(context)),
};

function pageJson({ items, nextCursor }: CursorPage<StoreRow>): SerializedJson {
  const stores = items.map(({ json }) => json).join(",");
  return new SerializedJson(`{"items":[${stores}],"nextCursor":${JSON.stringify(nextCursor)}}`);
}

/** Changes the list between two pages: adds a store before all others, or deletes the store that was returned last. */
function shiftStores(
  { data, ids }: StoreContext,
  applications: number,
  delivered: readonly StoreRow[],
): void {
  const key = delivered.findLast(({ externalId }) => externalId !== null)?.externalId;
  const last = typeof key === "string" ? data.stores.read(key) : undefined;
  if (typeof key !== "string" || last === undefined) return;
  if (applications % 2 === 0) {
    data.stores.delete(key);
    return;
  }
  const externalId = `!${applications}`;
  data.stores.set(externalId, { ...structuredClone(last), externalId, storeId: ids.uuid() });
}

const { sent: FIELDS, defaults } = storeInputs.StoreUpsert;

/** The fields that are never null. */
const NON_NULL = FIELDS.filter((name) => !(name in defaults));

type UpsertContext = StoreContext<StoreUpsert>;

function checkUpsert(context: UpsertContext): Issue[] {
  const { body, readings } = context;
  const issues = requiredFields(context)
    .filter((field) => body[field] === undefined)
    .map((field) => ({ path: field, message: "is required", code: "invalid_type" }));
  // gap stores.null-store-type
  if (body.storeType === null && readings["stores.null-store-type"] === "rejected") {
    issues.push({ path: "storeType", message: "must not be null", code: "invalid_type" });
  }
  return [
    ...issues,
    ...externalIdIssues(context, body.externalId),
    ...referenceIssues(context),
    ...loginCodeIssues(context),
    ...openingTimeIssues(context),
  ];
}

/** The properties that name another resource. */
const REFERENCES = { regionId: "region", protocolScheduleId: "protocol schedule" } as const;
type Reference = keyof typeof REFERENCES;

/** Returns the references of the body that no store has; an empty server knows every resource. */
function unknownReferences({ data, body }: StoreContext): Reference[] {
  const stores = [...data.stores.keyList()].map((key) => data.stores.read(key));
  const isKnown = (name: Reference, id: unknown) =>
    typeof id !== "string" || stores.length === 0 || stores.some((store) => store?.[name] === id);
  const given = objectOf(body); // a 404 may come before the check of the body
  return namesOf(REFERENCES).filter((name) => !isKnown(name, given[name]));
}

/** Returns 404 for a region or schedule that does not exist. gap stores.unknown-references */
function findReferences(context: StoreContext): ApiResponse | undefined {
  if (context.readings["stores.unknown-references"] !== "not-found") return undefined;
  const [name] = unknownReferences(context);
  return name && notFound(REFERENCES[name], context.readings);
}

/** gap stores.unknown-references */
function referenceIssues(context: StoreContext): Issue[] {
  if (context.readings["stores.unknown-references"] !== "invalid") return [];
  return unknownReferences(context).map((path) => ({
    path,
    message: `is not the ID of a ${REFERENCES[path]}`,
  }));
}

/** gap stores.login-code */
function loginCodeIssues(context: UpsertContext): Issue[] {
  const { body, data, readings } = context;
  const { loginCode } = body;
  if (loginCode === undefined || readings["stores.login-code"] === "shared") return [];
  const own = externalIdOf(context);
  const isTaken = data.stores
    .keyList()
    .some((key) => key !== own && data.stores.read(key)?.loginCode === loginCode);
  return isTaken ? [{ path: "loginCode", message: "is the login code of another store" }] : [];
}

/** gap stores.opening-times */
function openingTimeIssues({ body, readings }: UpsertContext): Issue[] {
  const { openingTimes: times } = body;
  if (!Array.isArray(times) || readings["stores.opening-times"] === "stored") return [];
  return times.flatMap(({ weekday, from, to }, index): Issue[] => {
    const path = `openingTimes.${index}`;
    if (to <= from) return [{ path: `${path}.to`, message: "must be after from" }];
    const isRepeated = times.slice(0, index).some((earlier) => earlier.weekday === weekday);
    return isRepeated ? [{ path: `${path}.weekday`, message: "must occur once" }] : [];
  });
}

/** gaps stores.create-requirements, stores.omitted-fields */
function requiredFields(context: StoreContext): readonly (keyof StoreUpsert)[] {
  const { data, readings } = context;
  if (data.stores.has(externalIdOf(context)))
    return readings["stores.omitted-fields"] === "reject" ? FIELDS : [];
  switch (readings["stores.create-requirements"]) {
    case "none-required":
      return [];
    case "non-null-fields":
      return NON_NULL;
    case "name-only":
      return ["name"];
  }
}

/** gap stores.body-external-id */
function externalIdIssues(context: StoreContext, givenId: string | undefined): Issue[] {
  const bodyExternalId = givenId && storedId(context, givenId);
  if (bodyExternalId === undefined || bodyExternalId === externalIdOf(context)) return [];
  switch (context.readings["stores.body-external-id"]) {
    case "path-wins":
      return [];
    case "rejected":
      return [{ path: "externalId", message: "must equal the external ID in the path" }];
    case "renames":
      if (bodyExternalId === "") return [{ path: "externalId", message: "must not be empty" }];
      return context.data.stores.has(bodyExternalId)
        ? [{ path: "externalId", message: "is the external ID of another store" }]
        : [];
  }
}

/** Creates or updates the store and returns it. */
function upsertStore(context: UpsertContext): Store {
  const { body, data, readings } = context;
  const key = externalIdOf(context);
  const stored = data.stores.read(key);
  const renamed =
    readings["stores.body-external-id"] === "renames" ? storedId(context, body.externalId ?? key) : key;
  if (stored === undefined) createLists(data, renamed);
  else if (renamed !== key) renameStore(data, key, renamed);
  const store = { ...mergedStore(context, stored), externalId: renamed };
  data.stores.set(renamed, store);
  return store;
}

function mergedStore(context: UpsertContext, stored: Store | undefined): Store {
  const { body, readings } = context;
  // gap stores.omitted-fields
  const previousStore =
    stored !== undefined && readings["stores.omitted-fields"] !== "reset" ? stored : undefined;
  const base = previousStore ?? { ...newStore(context), ...(stored && { storeId: stored.storeId }) };
  const given = Object.fromEntries(
    FIELDS.filter((field) => body[field] !== undefined).map((field) => [field, body[field]]),
  );
  const store: Store = { ...base, ...given }; // every value matches the schema of its field
  if (body.openingTimes !== null) return store;
  // gap stores.null-opening-times
  const keepsOpeningTimes = readings["stores.null-opening-times"] === "keeps";
  return { ...store, openingTimes: keepsOpeningTimes ? (stored?.openingTimes ?? []) : [] };
}

/** The fields that a new store gets if the request leaves them out. gap stores.create-requirements */
function newStore(context: StoreContext): Store {
  const random = context.ids.next();
  return {
    storeId: random.uuid(),
    externalId: null,
    name: externalIdOf(context),
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

function createLists(data: StoreData, key: string): void {
  for (const { map } of listsOf(data)) map.set(key, []);
}

function renameStore(data: StoreData, from: string, to: string): void {
  data.stores.delete(from);
  for (const { map } of listsOf(data)) {
    const rows = map.get(from) ?? [];
    map.delete(from);
    map.set(to, rows);
  }
  for (const protocol of data.protocols.get(to) ?? []) {
    if (protocol.externalId === from) protocol.externalId = to;
  }
}
