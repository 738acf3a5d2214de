import type { ImageStatus, ProtocolStatus } from "../../../generated/store.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
import { isPathId, pathSegment } from "../../wire/path-segment.ts";
import { ALL_TIME, maxLimit, STORES, storePath } from "../routes.ts";
import type { Query } from "../sender/sender.ts";
import type { ComparedResponse } from "./difference.ts";
import { cursorIn } from "./read-state.ts";
import type { ServiceRequest } from "./service.ts";
import type { Session } from "./session.ts";
import type { ObservedStores } from "./store-state.ts";

/** The number of stores that are examined. */
export const MAX_STORES = 5;

/** The number of instants of one store at which ranges begin and end. */
const MAX_INSTANTS = 4;

const UNKNOWN_UUID = "11111111-1111-4111-8111-111111111111";
const UNKNOWN_ID = "shelfleet-compare-nobody";

const get = (path: string, query: Query = {}): ServiceRequest => ({ api: "store", path, query });

/** Compares the GETs of the store API. */
export async function compareStore(session: Session, stores: ObservedStores): Promise<void> {
  const ids = stores.externalIds;
  await compareList(session, ids);
  for (const request of unknownRequests(ids[0] ?? UNKNOWN_ID)) await session.send(request);
  for (const externalId of ids.slice(0, MAX_STORES)) await compareOne(session, stores, externalId);
  for (const externalId of ids.filter((id) => pathSegment(id) !== id).slice(0, 2))
    await session.send(get(storePath(externalId)));
  // gap stores.external-id-equality
  for (const externalId of ids.slice(0, 1)) await session.send(get(storePath(swapCase(externalId))));
  await compareRates(session, stores, ids.filter((id) => !id.includes(",")).slice(0, MAX_STORES));
}

function swapCase(text: string): string {
  const lower = text.toLowerCase();
  return lower === text ? text.toUpperCase() : lower;
}

async function compareList(session: Session, ids: readonly string[]): Promise<void> {
  const maximum = maxLimit(STORES);
  await session.send(get(STORES));
  for (const limit of [maximum, 0, maximum + 1, "many"])
    await session.send(get(STORES, { limit: String(limit) }));
  for (const limit of ["1", "2", "3"]) await followCursors(session, STORES, { limit });
  for (const cursor of [`${ids[0] ?? ""}-${UNKNOWN_ID}`, "~~~~~~~~"])
    await session.send(get(STORES, { limit: "5", cursor }));
  await session.send(get(STORES, { limit: "1", shelfleetCompare: "1" }));
}

/** The number of pages of one list that are compared. */
const MAX_PAGES = 4;

/** Reads a list page by page, each side with its own cursor. */
async function followCursors(session: Session, path: string, query: Query): Promise<void> {
  let { service, mock } = await session.send(get(path, query));
  for (let pages = 1; pages < MAX_PAGES; pages += 1) {
    const [serviceCursor, mockCursor] = [cursorOf(service, query), cursorOf(mock, query)];
    if (serviceCursor === undefined || mockCursor === undefined) return;
    const next = await session.sendEach(
      get(path, { ...query, cursor: serviceCursor }),
      get(path, { ...query, cursor: mockCursor }),
    );
    ({ service, mock } = next);
    if (service.status !== 200 || mock.status !== 200) return;
  }
}

/** gap photos.cursor-source */
function cursorOf({ json }: ComparedResponse, query: Query): string | undefined {
  const { nextCursor, cursor, items, photos, data } = objectOf(json);
  if ((nextCursor ?? cursor) !== undefined) return cursorIn(json);
  const rows = objectsIn(items ?? photos ?? data);
  const id = rows.at(-1)?.["photoId"];
  return rows.length === Number(query["limit"]) && typeof id === "string" ? id : undefined;
}

const LISTS = ["", "/contacts", "/expectations", "/expositions"] as const;

function unknownRequests(known: string): ServiceRequest[] {
  const unknown = storePath(UNKNOWN_ID);
  return [
    ...LISTS.map((list) => get(unknown + list)),
    get(`${unknown}/protocols`, ALL_TIME),
    get(`${unknown}/protocols`),
    get(`${unknown}/photos`, { ...ALL_TIME, limit: "0" }),
    get(storePath(known, "protocols", UNKNOWN_ID)),
    get(storePath(known, "expositions", "no-uuid", "fill-rate"), ALL_TIME),
  ];
}

type PhotoStatus = ProtocolStatus | ImageStatus;

/** Repeated and single statuses of photos. */
const PHOTO_QUERIES: readonly (Query & { status?: PhotoStatus | PhotoStatus[] })[] = [
  { status: "annotated" },
  // gap photos.unknown-ids
  { protocolId: UNKNOWN_UUID },
  { expositionId: UNKNOWN_UUID },
  { status: ["completed", "annotated"] },
  { status: ["failed", "uploaded"] },
  { status: ["completed", "completed"] },
];

async function compareOne(session: Session, stores: ObservedStores, externalId: string): Promise<void> {
  const path = storePath(externalId);
  for (const list of LISTS) await session.send(get(path + list));
  for (const row of stores.listOf(externalId, "protocols").slice(0, 3)) {
    const id = row["protocolId"] ?? row["id"];
    if (isPathId(id)) await session.send(get(storePath(externalId, "protocols", id)));
  }
  for (const list of ["/protocols", "/photos"]) {
    await session.send(get(path + list, ALL_TIME));
    await session.send(get(path + list));
    await session.send(get(path + list, { from: ALL_TIME.to, to: ALL_TIME.from }));
    await session.send(get(path + list, { from: "2000-01-01T00:00:00", to: "2100-01-01T00:00:00" }));
    await followCursors(session, path + list, { ...ALL_TIME, limit: "2" });
    for (const status of ["completed", "failed", "processing"] satisfies ProtocolStatus[])
      await session.send(get(path + list, { ...ALL_TIME, status }));
  }
  for (const query of PHOTO_QUERIES) await session.send(get(`${path}/photos`, { ...ALL_TIME, ...query }));
  for (const range of rangesAt(instantsOf(stores, externalId)))
    for (const list of ["/protocols", "/photos", "/fill-rates"]) await session.send(get(path + list, range));
  for (const groupBy of storeOperations.getStoreFillRates.query.groupBy.values)
    await session.send(get(`${path}/fill-rates`, { ...ALL_TIME, groupBy }));
  const exposition = stores.listOf(externalId, "expositions")[0]?.["expositionId"];
  if (typeof exposition === "string")
    await session.send(get(storePath(externalId, "expositions", exposition, "fill-rate"), ALL_TIME));
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns the times in the protocols and photos of a store. */
function instantsOf(stores: ObservedStores, externalId: string): string[] {
  const rows = (["protocols", "photos"] as const).flatMap((list) => {
    const all = stores.listOf(externalId, list);
    return [all[0], all[Math.floor(all.length / 2)]].filter((row) => row !== undefined);
  });
  const times = rows.flatMap((row) =>
    Object.values(row).filter((value): value is string => typeof value === "string" && DATE_TIME.test(value)),
  );
  return [...new Set(times)].slice(0, MAX_INSTANTS);
}

/** gaps time-range.ends, time-range.instant */
function* rangesAt(instants: readonly string[]): Generator<{ from: string; to: string }> {
  for (const text of instants) {
    const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
    const at = (offset: number): string => new Date(time + offset).toISOString();
    yield { from: at(0), to: ALL_TIME.to };
    yield { from: ALL_TIME.from, to: at(0) };
    yield { from: at(-1), to: at(1) };
  }
}

async function compareRates(session: Session, stores: ObservedStores, ids: readonly string[]): Promise<void> {
  const rates = (query: Query = {}) =>
    session.send(get(storeOperations.getFillRates.path, { ...ALL_TIME, ...query }));
  await rates({ externalIds: `${ids[0] ?? UNKNOWN_ID},${UNKNOWN_ID}` });
  const some = { externalIds: ids.join(",") };
  for (const groupBy of storeOperations.getFillRates.query.groupBy.values) {
    await rates({ ...some, groupBy });
    // gap fill-rates.false-flag
    for (const belowExpectationOnly of ["true", "false"])
      await rates({ ...some, groupBy, belowExpectationOnly });
  }
  for (const externalIds of ids) {
    for (const groupBy of ["expositionType", "store"]) {
      const { service } = await rates({ externalIds, groupBy });
      await rates({ externalIds, groupBy, belowExpectationOnly: "true" });
      for (const rate of ratesIn(service.json).slice(0, 2))
        await rates({ externalIds, groupBy, minFillRate: rate, maxFillRate: rate });
    }
    for (const day of daysOf(stores, externalIds))
      await rates({ externalIds, groupBy: "expositionType", belowExpectationOnly: "true", ...day });
  }
  await rates({ ...some, minFillRate: "60", maxFillRate: "40" });
  await rates({ ...some, shelfleetCompare: "1" });
}

/** Returns rates as bounds of a query, 0 to 100. gap fill-rates.calculation */
function ratesIn(json: unknown): string[] {
  const { groups, items } = objectOf(json);
  const rows = objectsIn(groups ?? items);
  const rates = rows.flatMap((row) => Object.entries(row).filter(([name]) => /rate$/i.test(name)));
  const numbers = rates.map(([, value]) => value).filter((value) => typeof value === "number");
  const isFraction = numbers.every((value) => value <= 1);
  return numbers.map((value) => String(Number((isFraction ? value * 100 : value).toFixed(6))));
}

/** gaps weekdays.first, time-zones.meaning */
function daysOf(stores: ObservedStores, externalId: string): { from: string; to: string }[] {
  const days = instantsOf(stores, externalId).map((text) => text.slice(0, 10));
  return [...new Set(days)].slice(0, 3).map((day) => {
    const from = `${day}T00:00:00Z`;
    return { from, to: new Date(Date.parse(from) + 86_400_000).toISOString() };
  });
}
