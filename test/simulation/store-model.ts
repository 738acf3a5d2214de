/**
 * The store integration API as the simulation plays it, written from the contract and the gap register: every reading
 * that concerns paging, writes, retries and errors. Bodies have the documented properties, so nothing checks their types.
 */
import { type Json, type JsonObject, jsonResponse, type ModelResponse } from "../models/exchange.ts";
import { formatInstant, parseInstant } from "../models/instants.ts";
import { uuidAt } from "../models/random.ts";
import { chooseReadings, type GivenReadings, storeGaps, type StoreReadings } from "../models/readings.ts";
import type { Exposition, Photo, Protocol, Store, StoreRecord, StoreState } from "../models/store-state.ts";
import type { World as Sizes } from "./scenario.ts";
import { type CheckedRequest, matchPath, type SimulatedModel } from "./model.ts";

/** The parts of a world that no reading describes. */
type Setup = Pick<Sizes, "offsets" | "precision" | "cap" | "signed">;

interface World extends Setup {
  readonly readings: StoreReadings;
  readonly state: StoreState;
  /** Microseconds. */
  readonly now: () => number;
}

interface Call extends World {
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** The external ID in the path, and the record with this ID. */
  readonly id: string;
  readonly item: string;
}

interface RecordCall extends Call {
  readonly record: StoreRecord;
}

interface Operation {
  readonly route: readonly [method: string, path: string];
  /** Whether the store, or what the path names in it, has to exist; in that case `run` has a record. */
  readonly exists?: (call: RecordCall) => boolean;
  /** The path of the first invalid property. */
  readonly issue?: (call: Call & { readonly record: StoreRecord | undefined }) => string | undefined;
  readonly run: (call: RecordCall) => JsonObject | ModelResponse;
}

function failure({ readings }: World, status: 400 | 401 | 404, path?: string): ModelResponse {
  const codes = { 400: "validation_failed", 401: "unauthorized", 404: "not_found" } as const;
  const code = readings["errors.code-presence"] === "present" ? { code: codes[status] } : {};
  const given = readings["errors.issue-codes"] === "given" ? { code: "custom" } : {};
  const issues = path === undefined ? {} : { issues: [{ path, message: "is not valid", ...given }] };
  return jsonResponse(status, { error: { ...code, message: `Status ${status}`, ...issues } });
}

function nextId(state: StoreState): string {
  state.ids += 1;
  return uuidAt(state.seed, state.ids);
}

function recordOf({ stores }: StoreState, id: string): StoreRecord | undefined {
  return stores.find(({ store }) => store.externalId === id);
}

// Views

function instant(micros: number, readings: StoreReadings): string {
  return formatInstant(micros, readings["date-times.forms"] !== "responses-without-offset");
}

/** An element of a list, without properties that are null if the reading says so. */
function element(view: object, readings: StoreReadings): JsonObject {
  const properties = Object.entries(view).map(([name, value]: [string, Json]) =>
    name === "createdAt" || name === "updatedAt" ? [name, instant(Number(value), readings)] : [name, value],
  );
  const isLeftOut = readings["responses.nullable-properties"] === "absent";
  return Object.fromEntries(properties.filter(([, value]) => !isLeftOut || value !== null)) as JsonObject;
}

export function protocolId({ protocolId: id }: Protocol, readings: StoreReadings): string {
  return readings["protocols.id-format"] === "uuid" ? id : `P${id.slice(0, 8)}/${id.slice(-6)}`;
}

function summary(protocol: Protocol, readings: StoreReadings): JsonObject {
  const property = readings["protocols.id-property"];
  const { status, createdAt, submittedAt } = protocol;
  return {
    ...(property === "anonymous" ? {} : { [property]: protocolId(protocol, readings) }),
    status,
    createdAt: instant(createdAt, readings),
    submittedAt: submittedAt === null ? null : instant(submittedAt, readings),
  };
}

// Stores

function sortedStores({ readings, state }: World): StoreRecord[] {
  const isLast = readings["stores.null-cursor"] === "last-page";
  const isHidden = readings["stores.null-external-id"] === "never-listed";
  const key = ({ store, place }: StoreRecord): string => store.externalId ?? place;
  const group = ({ store }: StoreRecord): number => (isLast && store.externalId === null ? 1 : 0);
  return state.stores
    .filter(({ store }) => !isHidden || store.externalId !== null)
    .toSorted((one, other) => group(one) - group(other) || (key(one) < key(other) ? -1 : 1));
}

/** The start of the page of a cursor; undefined if a cursor that names no store ends the list. */
function pageStart(all: readonly StoreRecord[], cursor: string | null, readings: StoreReadings) {
  if (cursor === null) return 0;
  const known = all.findIndex(({ store }) => store.externalId === cursor);
  if (known >= 0) return readings["stores.cursor-start"] === "at" ? known : known + 1;
  if (readings["stores.unknown-cursor"] !== "next-greater") return undefined;
  const greater = all.findIndex(({ store }) => store.externalId !== null && store.externalId > cursor);
  // behind the last external ID only stores without one are left
  return greater >= 0 ? greater : all.findLastIndex(({ store }) => store.externalId !== null) + 1;
}

function listStores(call: Call): JsonObject | ModelResponse {
  const { readings, query, cap = Infinity } = call;
  const all = sortedStores(call);
  const cursor = query.get("cursor");
  const begin = pageStart(all, cursor, readings);
  if (begin === undefined && readings["stores.unknown-cursor"] === "reject")
    return failure(call, 400, "cursor");
  if (begin === undefined) return { items: [], nextCursor: null };
  let end = Math.min(begin + Math.min(cap, Number(query.get("limit") ?? 100)), all.length);
  // the stores without external ID join the last page
  if (readings["stores.null-cursor"] === "last-page" && end > begin && all[end]?.store.externalId === null)
    end = all.length;
  const page = all.slice(begin, end).map(({ store }) => store);
  return { items: structuredClone(page) as object as Json[], nextCursor: cursorAfter() };

  function cursorAfter(): string | null {
    if (end === all.length) return null;
    const named = all[readings["stores.cursor-start"] === "at" ? end : end - 1]?.store.externalId ?? null;
    if (named !== null || readings["stores.null-cursor"] !== "last-not-null") return named;
    return page.findLast(({ externalId }) => externalId !== null)?.externalId ?? cursor;
  }
}

const scheduleId = "5c4ed01e-0000-4000-a000-000000000001";

function blankStore(storeId: string, externalId: string): Store {
  return {
    storeId,
    externalId,
    name: externalId,
    location: null,
    regionId: null,
    storeType: null,
    openingTimes: [],
    protocolScheduleId: scheduleId,
    protocolCronEnabled: false,
    onboardingComplete: false,
    loginCode: storeId.slice(0, 6),
  };
}

const updatable = Object.keys(blankStore("", "")).filter((name) => !["storeId", "externalId"].includes(name));
const createRequirements = {
  "none-required": [],
  "name-only": ["name"],
  "non-null-fields": ["name", "protocolScheduleId", "protocolCronEnabled", "onboardingComplete", "loginCode"],
};

function storeIssue({ readings, state, body, id, record }: Call & { record: StoreRecord | undefined }) {
  if (body["storeType"] === null && readings["stores.null-store-type"] === "rejected") return "storeType";
  const complete = readings["stores.omitted-fields"] === "reject" ? updatable : [];
  const needed = record === undefined ? createRequirements[readings["stores.create-requirements"]] : complete;
  const missing = needed.find((name) => body[name] === undefined);
  if (missing !== undefined || body["externalId"] === undefined || body["externalId"] === id) return missing;
  const reading = readings["stores.body-external-id"];
  const isTaken =
    reading === "renames" && state.stores.some(({ store }) => store.externalId === body["externalId"]);
  return reading === "rejected" || isTaken ? "externalId" : undefined;
}

function putStore({ readings, state, body, id, ...call }: RecordCall): JsonObject {
  let record: StoreRecord | undefined = call.record;
  if (record === undefined) {
    const store = blankStore(nextId(state), id);
    record = { place: id, store, contacts: [], expectations: [], expositions: [], protocols: [] };
    state.stores.push(record);
  }
  const { store } = record;
  const { openingTimes } = store;
  if (readings["stores.omitted-fields"] === "reset") Object.assign(store, blankStore(store.storeId, id));
  for (const name of updatable)
    if (body[name] !== undefined) Object.assign(store, { [name]: structuredClone(body[name]) });
  if (body["openingTimes"] === null)
    store.openingTimes = readings["stores.null-opening-times"] === "keeps" ? openingTimes : [];
  if (readings["stores.body-external-id"] === "renames" && typeof body["externalId"] === "string") {
    store.externalId = body["externalId"];
    record.place = store.externalId;
  }
  return structuredClone(store) as object as JsonObject;
}

// Contacts, expectations and expositions

const matched = { label: ["label"], type: ["expositionType"], "label-and-type": ["label", "expositionType"] };

/** The key by which an element is matched; undefined if it is matched by nothing. */
function keyOf(list: string, one: object, readings: StoreReadings): string | undefined {
  const properties = one as JsonObject;
  const key = (names: readonly string[]): string =>
    JSON.stringify(names.map((name) => properties[name] ?? null));
  if (list === "contacts") return key(["phone"]);
  if (list === "expectations") return key(["displayType", "productCategory", "weekday", "protocolTime"]);
  const matching = readings["expositions.matching"];
  return matching === "always-new" ? undefined : key(matched[matching]);
}

function elementKey(list: string, one: JsonObject, readings: StoreReadings): string | undefined {
  return typeof one["expositionId"] === "string" ? one["expositionId"] : keyOf(list, one, readings);
}

/** The elements of a body that count. */
function elementsOf(list: string, { body, readings }: Call): JsonObject[] {
  const all = body[list] as JsonObject[]; // the client sends no other body
  if (readings["lists.duplicates"] !== "last-wins") return all;
  const keys = all.map((one, at) => elementKey(list, one, readings) ?? String(at));
  return all.filter((_, at) => keys.lastIndexOf(keys[at] as string) === at);
}

function duplicate(list: string, { body, readings }: Call): string | undefined {
  if (readings["lists.duplicates"] !== "rejected") return undefined;
  const keys = (body[list] as JsonObject[]).map((one) => elementKey(list, one, readings));
  const at = keys.findIndex((key, index) => key !== undefined && keys.indexOf(key) !== index);
  return at === -1 ? undefined : `${list}.${at}`;
}

/** Elements that equal a stored one keep its ID and time, where the reading says so. */
function replace<T extends object>(
  stored: T[],
  fresh: T[],
  own: readonly string[],
  readings: StoreReadings,
): T[] {
  if (readings["lists.ids-after-replace"] === "new") return fresh;
  const bare = (one: T): string =>
    JSON.stringify(Object.entries(one).filter(([name]) => !own.includes(name)));
  return fresh.map((one) => stored.find((before) => bare(before) === bare(one)) ?? one);
}

function listOf(list: "contacts" | "expectations" | "expositions") {
  return ({ record, readings, id }: RecordCall, only?: ReadonlySet<string>): JsonObject => {
    const all: readonly object[] = record[list];
    const summarized = all.filter((one) => only === undefined || only.has((one as Exposition).expositionId));
    const more = list === "expositions" ? { storeId: record.store.storeId } : {};
    return { externalId: id, ...more, items: summarized.map((one) => element(one, readings)) };
  };
}

function replaceContacts(call: RecordCall): JsonObject {
  const { record, readings, state } = call;
  const fresh = elementsOf("contacts", call).map((given) => {
    const contact = { contactType: "store", name: "", phone: "", email: null, hasWhatsapp: false };
    return { contactId: nextId(state), ...contact, ...given, createdAt: call.now() };
  });
  record.contacts = replace(record.contacts, fresh, ["contactId", "createdAt"], readings);
  return listOf("contacts")(call);
}

function replaceExpectations(call: RecordCall): JsonObject {
  const { record, readings, state } = call;
  const fresh = elementsOf("expectations", call).map(
    (given) => ({ expectationId: nextId(state), ...given, updatedAt: call.now() }) as never,
  );
  record.expectations = replace(record.expectations, fresh, ["expectationId", "updatedAt"], readings);
  return listOf("expectations")(call);
}

function unknownExposition({ body, ...call }: Call, record: StoreRecord | undefined): string | undefined {
  const known = new Set(record?.expositions.map(({ expositionId }) => expositionId));
  const ids = elementsOf("expositions", { body, ...call }).map(({ expositionId }) => expositionId);
  return ids.filter((id) => typeof id === "string").find((id) => !known.has(id));
}

function upsertExpositions(call: RecordCall): JsonObject | ModelResponse {
  const { record, readings, state } = call;
  const unknown = readings["expositions.unknown-id"];
  if (unknown === "not-found" && unknownExposition(call, record) !== undefined) return failure(call, 404);
  const before = [...record.expositions];
  const stored = [...before];
  const sent = new Set<string>();
  for (const given of elementsOf("expositions", call)) {
    const id = given["expositionId"];
    const key = keyOf("expositions", given, readings);
    // an element without ID means one that was stored before, so that two equal elements create two
    const at = stored.findIndex((one) =>
      id === undefined
        ? key !== undefined &&
          before.some(({ expositionId }) => expositionId === one.expositionId) &&
          keyOf("expositions", one, readings) === key
        : one.expositionId === id,
    );
    const isKept = readings["expositions.omitted-title"] === "kept";
    const exposition = {
      expositionId:
        stored[at]?.expositionId ?? (typeof id === "string" && unknown === "created" ? id : nextId(state)),
      status: "active",
      ...given,
      friendlyTitle: given["friendlyTitle"] ?? (isKept ? (stored[at]?.friendlyTitle ?? null) : null),
    } as Exposition; // the body has the other properties
    exposition.expositionId = stored[at]?.expositionId ?? exposition.expositionId;
    if (typeof id === "string" && at === -1 && unknown === "created-with-new-id")
      exposition.expositionId = nextId(state);
    sent.add(exposition.expositionId);
    stored.splice(at === -1 ? stored.length : at, at === -1 ? 0 : 1, exposition);
  }
  const absent = readings["expositions.absent"];
  record.expositions = stored
    .filter(({ expositionId }) => absent !== "delete" || sent.has(expositionId))
    .map((one) =>
      absent !== "disable" || sent.has(one.expositionId) ? one : { ...one, status: "disabled" },
    );
  return listOf("expositions")(call, readings["expositions.response"] === "sent" ? sent : undefined);
}

// Protocols and photos

function isWithin(exact: number | null, { query, readings, precision }: Call): boolean {
  if (exact === null) return false;
  const unit = precision === undefined ? 1 : precision * 1000; // microseconds
  const floor = (micros: number): number => Math.floor(micros / unit) * unit;
  const at = floor(exact);
  const [from, to] = [floor(rangeEnd(query, "from")), floor(rangeEnd(query, "to"))];
  if (at < from || at > to) return false;
  const ends = readings["time-range.ends"];
  if (at === from && (ends === "exclusive" || ends === "left-open")) return false;
  return at !== to || ends === "inclusive" || ends === "left-open";
}

function rangeEnd(query: URLSearchParams, name: string): number {
  return parseInstant(query.get(name) ?? "", "rfc3339") ?? Number.NaN;
}

function rangeIssue({ query, readings }: Call): string | undefined {
  const isInverted = rangeEnd(query, "from") > rangeEnd(query, "to");
  return isInverted && readings["time-range.inverted"] === "reject" ? "from" : undefined;
}

/** The protocols of a store; under `one` those with equal summaries are the first of them. */
function protocolsOf({
  record: { protocols },
  readings,
}: RecordCall): { row: Protocol; summarized: Protocol }[] {
  const first = new Map<string, Protocol>();
  return protocols.map((row) => {
    const key = JSON.stringify([row.status, row.createdAt, row.submittedAt]);
    const summarized = readings["protocols.equal-summaries"] === "one" ? (first.get(key) ?? row) : row;
    first.set(key, summarized);
    return { row, summarized };
  });
}

function protocolInstant({ createdAt, submittedAt }: Protocol, readings: StoreReadings): number | null {
  return readings["time-range.instant"] === "submission" ? submittedAt : createdAt;
}

/** The rows after a cursor, at most `limit`; undefined where the cursor names none of them. */
function pageAfter<T>(rows: readonly T[], mark: (row: T) => string, call: Call) {
  const { query, offsets, cap = Infinity } = call;
  const cursor = query.get("cursor");
  const limit = Math.min(cap, Number(query.get("limit") ?? 100));
  if (offsets === true) {
    const begin = Number(cursor ?? 0);
    const end = begin + limit;
    return { page: rows.slice(begin, end), next: end < rows.length ? String(end) : null };
  }
  const known = rows.findIndex((row) => mark(row) === cursor);
  if (cursor !== null && known === -1) return undefined;
  const page = rows.slice(known + 1, known + 1 + limit);
  const last = page.at(-1);
  return { page, next: last !== undefined && known + 1 + limit < rows.length ? mark(last) : null };
}

function listProtocols(call: RecordCall): JsonObject | ModelResponse {
  const { readings, query, state, id } = call;
  const paging = readings["protocols.next-page"];
  const status = query.get("status");
  const rows = protocolsOf(call).filter(
    ({ row }) => isWithin(protocolInstant(row, readings), call) && (status === null || row.status === status),
  );
  if (readings["protocols.order"] === "newest-first") rows.reverse();
  if (paging !== "cursor") query.delete("cursor");
  const found = pageAfter(rows, ({ row }) => `after.${row.protocolId}`, call);
  if (found === undefined) return failure(call, 400, "cursor");
  const fresh = paging === "ignored-new-cursor" && found.next !== null ? `.${state.requests}` : "";
  return {
    externalId: id,
    items: found.page.map(({ summarized }) => ({ ...summary(summarized, readings), ...signature(call) })),
    nextCursor: found.next === null ? null : found.next + fresh,
  };
}

/** A property that differs in each response. */
function signature({ signed, state }: Call): JsonObject {
  return signed === true ? { signature: state.requests } : {};
}

function findProtocol(call: RecordCall): Protocol | undefined {
  return protocolsOf(call).find(
    ({ row, summarized }) => row === summarized && protocolId(row, call.readings) === call.item,
  )?.row;
}

function photoView(photo: Photo, readings: StoreReadings): JsonObject {
  const { photoId, expositionId, status, takenAt } = photo;
  return { photoId, expositionId, status, takenAt: instant(takenAt, readings) };
}

function listPhotos(call: RecordCall): JsonObject | ModelResponse {
  const { readings, id } = call;
  const isNamed = readings["photos.cursor-source"] === "photo-id";
  const rows = protocolsOf(call)
    .filter(({ row, summarized }) => row === summarized)
    .flatMap(({ row }) => row.photos.map((photo) => ({ photo, row })))
    .filter(({ photo, row }) =>
      isWithin(
        readings["time-range.instant"] === "own-instant" ? photo.takenAt : protocolInstant(row, readings),
        call,
      ),
    )
    .toSorted(
      ({ photo: one }, { photo: other }) =>
        one.takenAt - other.takenAt || (one.photoId < other.photoId ? -1 : 1),
    );
  const mark = ({ photo }: (typeof rows)[number]): string => `${isNamed ? "" : "photos."}${photo.photoId}`;
  const found = pageAfter(rows, mark, call);
  if (found === undefined) return failure(call, 400, "cursor");
  const photos = found.page.map(({ photo, row }) => ({
    ...photoView(photo, readings),
    protocolId: protocolId(row, readings),
    protocolStatus: row.status,
  }));
  const shape = readings["photos.page-shape"];
  if (shape === "no-list")
    return { externalId: id, total: photos.length, byNumber: Object.fromEntries(photos.entries()) };
  const [items = "", next = ""] = shape.split("-");
  return { externalId: id, [items]: photos, ...(isNamed ? {} : { [next]: found.next }) };
}

/** Fill rates pass through the client as they are. */
function fillRates({ readings, id }: Call): JsonObject {
  const fillRate = readings["fill-rates.calculation"] === "percent" ? 50 : 0.5;
  return { externalId: id, groupBy: "store", [readings["fill-rates.shape"]]: [{ externalId: id, fillRate }] };
}

const always = (): boolean => true;
const store = "/v1/stores/{}";
const operations: readonly Operation[] = [
  { route: ["GET", "/v1/stores"], run: listStores },
  { route: ["GET", store], exists: always, run: ({ record }) => structuredClone(record.store) as never },
  { route: ["PUT", store], issue: storeIssue, run: putStore },
  { route: ["GET", `${store}/contacts`], exists: always, run: (call) => listOf("contacts")(call) },
  {
    route: ["PUT", `${store}/contacts`],
    exists: always,
    issue: (call) => duplicate("contacts", call),
    run: replaceContacts,
  },
  { route: ["GET", `${store}/expectations`], exists: always, run: (call) => listOf("expectations")(call) },
  {
    route: ["PUT", `${store}/expectations`],
    exists: always,
    issue: (call) => duplicate("expectations", call),
    run: replaceExpectations,
  },
  { route: ["GET", `${store}/expositions`], exists: always, run: (call) => listOf("expositions")(call) },
  {
    route: ["PUT", `${store}/expositions`],
    exists: always,
    issue: ({ record, ...call }) =>
      duplicate("expositions", call) ??
      (call.readings["expositions.unknown-id"] === "invalid" ? unknownExposition(call, record) : undefined),
    run: upsertExpositions,
  },
  {
    route: ["GET", `${store}/protocols`],
    exists: always,
    issue: (call) =>
      call.query.has("cursor") && call.readings["protocols.next-page"] === "rejected"
        ? "cursor"
        : rangeIssue(call),
    run: listProtocols,
  },
  {
    route: ["GET", `${store}/protocols/{}`],
    exists: (call) => findProtocol(call) !== undefined,
    run: (call) => {
      const protocol = findProtocol(call) as Protocol; // it exists
      const images = protocol.photos.map((photo) => ({
        ...photoView(photo, call.readings),
        fillRate: photo.fillRate,
      }));
      return { ...summary(protocol, call.readings), images };
    },
  },
  { route: ["GET", `${store}/photos`], exists: always, issue: rangeIssue, run: listPhotos },
  { route: ["GET", `${store}/fill-rates`], exists: always, issue: rangeIssue, run: fillRates },
  {
    route: ["GET", `${store}/expositions/{}/fill-rate`],
    exists: ({ record, item }) => record.expositions.some(({ expositionId }) => expositionId === item),
    issue: rangeIssue,
    run: fillRates,
  },
  { route: ["GET", "/v1/fill-rate"], issue: rangeIssue, run: fillRates },
];

export function createStoreModel(
  given: GivenReadings,
  state: StoreState,
  nowMs: () => number,
  setup: Setup = {},
): SimulatedModel<StoreState> & { readonly readings: StoreReadings } {
  const readings = chooseReadings(storeGaps, given);
  const world: World = { ...setup, readings, state, now: () => nowMs() * 1000 };
  const handle = ({ method, target, isKnown, isTruth, body }: CheckedRequest): ModelResponse => {
    state.requests += 1;
    if (!isKnown) return failure(world, 401);
    const { pathname, searchParams: query } = new URL(target, "http://service");
    for (const operation of operations) {
      const found = operation.route[0] === method ? matchPath(operation.route[1], pathname) : undefined;
      if (found === undefined) continue;
      const [id = "", item = ""] = found;
      const parsed = body === "" ? {} : (JSON.parse(body) as JsonObject); // the client sends objects
      const call = { ...world, query, id, item, body: parsed };
      return run(operation, isTruth === true ? { ...call, cap: Infinity, offsets: false } : call);
    }
    return failure(world, 404);
  };
  const model = { handle, readings, state, writes: 0 };
  return model;

  function run(operation: Operation, call: Call): ModelResponse {
    const record = recordOf(state, call.id);
    const known = { ...call, record: record as StoreRecord }; // `exists` is asked first where it matters
    const isMissing = operation.exists !== undefined && !(record !== undefined && operation.exists(known));
    const isFoundFirst = readings["requests.check-order"] === "not-found-first";
    if (isMissing && isFoundFirst) return failure(call, 404);
    const issue = operation.issue?.({ ...call, record });
    if (issue !== undefined) return failure(call, 400, issue);
    if (isMissing) return failure(call, 404);
    const result = operation.run(known);
    if (isResponse(result)) return result;
    if (operation.route[0] === "PUT") model.writes += 1;
    return jsonResponse(200, result);
  }
}

function isResponse(result: JsonObject | ModelResponse): result is ModelResponse {
  return typeof result["status"] === "number" && typeof result["body"] === "string";
}
