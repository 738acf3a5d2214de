/** The lists of the store model: stores, protocols and photos. */
import type { Query } from "./checks.ts";
import type { Json, JsonObject, ModelResponse } from "./exchange.ts";
import type { StoreReadings } from "./readings.ts";
import {
  imageStatuses,
  type Photo,
  type Protocol,
  protocolStatuses,
  type StoreRecord,
} from "./store-state.ts";
import { detailView, photoView, protocolId, storeView, summaryView } from "./store-views.ts";
import {
  invalid,
  isWithin,
  parameter,
  type RecordCall,
  type StoreCall,
  type StoreWorld,
  success,
  type TimeRange,
  timeRange,
} from "./store-world.ts";

function limitOf(query: Query, { variant, isWhole }: StoreWorld): number {
  return isWhole ? Infinity : Math.min(variant.cap ?? Infinity, Number(parameter(query, "limit") ?? "100"));
}

interface Page<T> {
  readonly page: readonly T[];
  /** The cursor of the next page. */
  readonly next: string | null;
}

/** The page after the row that a cursor marks; undefined where the cursor marks none. */
function pageAfter<T>(
  world: StoreWorld,
  rows: readonly T[],
  mark: (row: T) => string,
  query: Query,
  cursor: string | undefined,
): Page<T> | undefined {
  const { offsets } = world.variant;
  const begin = offsets ? Number(cursor ?? 0) : rows.findIndex((row) => mark(row) === cursor) + 1;
  if (cursor !== undefined && begin === 0) return undefined;
  const end = begin + limitOf(query, world);
  const page = rows.slice(begin, end);
  const last = page.at(-1);
  if (last === undefined || end >= rows.length) return { page, next: null };
  return { page, next: offsets ? String(end) : mark(last) };
}

/** The place of a store without external ID depends on the reading of `stores.null-cursor`. */
function sortedRows(world: StoreWorld): StoreRecord[] {
  const { readings, state } = world;
  const nullsLast = readings["stores.null-cursor"] === "last-page";
  const key = (record: StoreRecord): string => record.store.externalId ?? record.place;
  const group = (record: StoreRecord): number => (nullsLast && record.store.externalId === null ? 1 : 0);
  const hidden = readings["stores.null-external-id"] === "never-listed";
  const rows = hidden ? state.stores.filter(({ store }) => store.externalId !== null) : state.stores;
  return rows.toSorted((one, other) => group(one) - group(other) || (key(one) < key(other) ? -1 : 1));
}

function listedRows(world: StoreWorld): NonNullable<StoreWorld["rows"]> {
  if (world.rows) return world.rows;
  const records = sortedRows(world);
  world.rows = { records, positions: new Map(records.map(({ store }, at) => [store.externalId, at])) };
  return world.rows;
}

/** The index of the first row above a cursor that is not the external ID of a store. */
function nextGreater(rows: readonly StoreRecord[], cursor: string): number {
  const greater = rows.findIndex(({ store }) => store.externalId !== null && store.externalId > cursor);
  // behind the last external ID only rows without one are left
  return greater === -1 ? rows.findLastIndex(({ store }) => store.externalId !== null) + 1 : greater;
}

/** The start of the page of a cursor. `refused` and `nowhere` belong to unknown cursors. */
function pageStart(world: StoreWorld, cursor: string): number | "refused" | "nowhere" {
  const { records, positions } = listedRows(world);
  const known = positions.get(cursor);
  if (known !== undefined) return world.readings["stores.cursor-start"] === "at" ? known : known + 1;
  const unknown = world.readings["stores.unknown-cursor"];
  if (unknown === "reject") return "refused";
  return unknown === "empty" ? "nowhere" : nextGreater(records, cursor);
}

/** The end of a page. Under `last-page` all rows without external ID join the last page. */
function pageEnd(world: StoreWorld, rows: readonly StoreRecord[], begin: number, limit: number): number {
  const end = Math.min(begin + limit, rows.length);
  if (world.readings["stores.null-cursor"] !== "last-page") return end;
  return rows[end]?.store.externalId === null ? rows.length : end;
}

function storeCursor(
  world: StoreWorld,
  rows: readonly StoreRecord[],
  begin: number,
  end: number,
  requested?: string,
): Json {
  if (end === rows.length) return null;
  const marker = world.readings["stores.cursor-start"] === "at" ? rows[end] : rows[end - 1];
  const cursor = marker?.store.externalId ?? null;
  if (cursor !== null || world.readings["stores.null-cursor"] !== "last-not-null") return cursor;
  const last = rows.slice(begin, end).findLast(({ store }) => store.externalId !== null);
  return last?.store.externalId ?? requested ?? null;
}

export function listStores(world: StoreWorld, { query }: StoreCall): ModelResponse {
  const { records: rows } = listedRows(world);
  const cursor = parameter(query, "cursor");
  const begin = cursor === undefined ? 0 : pageStart(world, cursor);
  if (begin === "refused") return invalid(world, "cursor", "is not the external ID of a store");
  if (begin === "nowhere") return success({ items: [], nextCursor: null });
  const end = pageEnd(world, rows, begin, limitOf(query, world));
  const items = rows.slice(begin, end).map(({ store }) => {
    const { storeId, ...view } = storeView(store);
    return world.variant.anonymous ? view : { storeId: storeId ?? null, ...view };
  });
  return success({ items, nextCursor: storeCursor(world, rows, begin, end, cursor) });
}

/** The instant of a protocol that `from` and `to` are compared with. */
function protocolInstant(protocol: Protocol, readings: StoreReadings): number | null {
  return readings["time-range.instant"] === "submission" ? protocol.submittedAt : protocol.createdAt;
}

/** The instant of a photo that `from` and `to` are compared with. */
export function photoInstant(photo: Photo, protocol: Protocol, readings: StoreReadings): number | null {
  return readings["time-range.instant"] === "own-instant"
    ? photo.takenAt
    : protocolInstant(protocol, readings);
}

interface ProtocolRow {
  readonly row: Protocol;
  /** The protocol as the list shows it. */
  readonly summarized: Protocol;
}

/** Under `one` equal summaries are one protocol that the list shows several times: the first of them. */
function protocolRows({ protocols }: StoreRecord, readings: StoreReadings): ProtocolRow[] {
  if (readings["protocols.equal-summaries"] === "distinct")
    return protocols.map((row) => ({ row, summarized: row }));
  const first = new Map<string, Protocol>();
  return protocols.map((row) => {
    const key = JSON.stringify([row.status, row.createdAt, row.submittedAt, row.extra ?? null]);
    const summarized = first.get(key) ?? row;
    first.set(key, summarized);
    return { row, summarized };
  });
}

/** The protocols of a store, each once. */
export function protocolsOf(record: StoreRecord, readings: StoreReadings): Protocol[] {
  return protocolRows(record, readings).flatMap(({ row, summarized }) => (row === summarized ? [row] : []));
}

function selectedProtocols(world: StoreWorld, { record, query }: RecordCall): ProtocolRow[] {
  const { readings } = world;
  const range = timeRange(query, readings);
  const status = parameter(query, "status");
  const selected = protocolRows(record, readings).filter(
    ({ row }) =>
      isWithin(protocolInstant(row, readings), range, world) &&
      (status === undefined || row.status === status),
  );
  return readings["protocols.order"] === "oldest-first" ? selected : selected.toReversed();
}

export function listProtocols(world: StoreWorld, call: RecordCall): ModelResponse {
  const { readings, state, variant } = world;
  const paging = readings["protocols.next-page"];
  const cursor = paging === "cursor" ? parameter(call.query, "cursor") : undefined;
  const mark = ({ row }: ProtocolRow): string => `after.${row.protocolId}`;
  const found = pageAfter(world, selectedProtocols(world, call), mark, call.query, cursor);
  if (found === undefined) return invalid(world, "cursor", "is not a cursor of this list");
  const fresh = paging === "ignored-new-cursor" ? `.${state.requests}` : "";
  const signature = variant.signed ? { signature: state.requests } : {};
  const unit = (variant.coarse ?? 0.001) * 1000; // microseconds
  const shown = (at: number): number => Math.floor(at / unit) * unit;
  return success({
    externalId: call.path["externalId"] ?? "",
    items: found.page.map(({ summarized: { createdAt, submittedAt, ...protocol } }) => {
      const times = { createdAt: shown(createdAt), submittedAt: submittedAt && shown(submittedAt) };
      return { ...summaryView({ ...protocol, ...times }, readings), ...signature };
    }),
    nextCursor: found.next === null ? null : found.next + fresh,
  });
}

export function findProtocol(
  world: StoreWorld,
  record: StoreRecord,
  id: string | undefined,
): Protocol | undefined {
  return protocolsOf(record, world.readings).find((protocol) => protocolId(protocol, world.readings) === id);
}

export function getProtocol(world: StoreWorld, { record, path }: RecordCall): ModelResponse {
  const protocol = findProtocol(world, record, path["protocolId"]);
  if (!protocol) throw new Error("The operation's `exists` found this protocol");
  return success(detailView(protocol, world.readings));
}

type PhotoStatusReading = StoreReadings["photos.status"];

const protocolOnly = new Set<string>(protocolStatuses);
const imageOnly = new Set<string>(imageStatuses);

const holdsOne = (status: string, photo: Photo, protocol: Protocol): boolean =>
  photo.status === status || protocol.status === status;

/** The photos that a value of both enums selects. */
const sharedStatus: Record<PhotoStatusReading, typeof holdsOne> = {
  either: holdsOne,
  both: (status, photo, protocol) => photo.status === status && protocol.status === status,
  protocol: (status, _photo, protocol) => protocol.status === status,
  image: (status, photo) => photo.status === status,
  "protocol-only": (status, _photo, protocol) => protocol.status === status,
  "image-only": (status, photo) => photo.status === status,
};

/** The values of `status` that each reading accepts. */
export function photoStatusValues(reading: PhotoStatusReading): readonly string[] {
  if (reading === "protocol-only") return protocolStatuses;
  return reading === "image-only" ? imageStatuses : [...new Set([...protocolStatuses, ...imageStatuses])];
}

function hasStatus(status: string, photo: Photo, protocol: Protocol, reading: PhotoStatusReading): boolean {
  const isShared = protocolOnly.has(status) && imageOnly.has(status);
  return (isShared ? sharedStatus[reading] : holdsOne)(status, photo, protocol);
}

interface PhotoRow {
  readonly photo: Photo;
  readonly protocol: Protocol;
}

function photoRows(world: StoreWorld, record: StoreRecord, range: TimeRange): PhotoRow[] {
  const { readings } = world;
  return protocolsOf(record, readings)
    .flatMap((protocol) => protocol.photos.map((photo) => ({ photo, protocol })))
    .filter(({ photo, protocol }) => isWithin(photoInstant(photo, protocol, readings), range, world))
    .toSorted(
      (one, other) =>
        one.photo.takenAt - other.photo.takenAt || (one.photo.photoId < other.photo.photoId ? -1 : 1),
    );
}

function selectedPhotos(world: StoreWorld, { record, query }: RecordCall): PhotoRow[] {
  const { readings } = world;
  const statuses = query.get("status") ?? [];
  const wantedProtocol = parameter(query, "protocolId");
  const wantedExposition = parameter(query, "expositionId")?.toLowerCase();
  return photoRows(world, record, timeRange(query, readings)).filter(
    ({ photo, protocol }) =>
      statuses.every((status) => hasStatus(status, photo, protocol, readings["photos.status"])) &&
      (wantedProtocol === undefined || protocolId(protocol, readings) === wantedProtocol) &&
      (wantedExposition === undefined || photo.expositionId === wantedExposition),
  );
}

/** The names of the photos and the cursor in the photo list. */
const pageShapes: Record<
  StoreReadings["photos.page-shape"],
  (photos: JsonObject[], cursor: JsonObject) => JsonObject
> = {
  "items-nextCursor": (items, { cursor }) => ({ items, ...(cursor !== undefined && { nextCursor: cursor }) }),
  "photos-nextCursor": (photos, { cursor }) => ({
    photos,
    ...(cursor !== undefined && { nextCursor: cursor }),
  }),
  "data-cursor": (data, cursor) => ({ data, ...cursor }),
  "no-list": (photos) => ({
    total: photos.length,
    byNumber: Object.fromEntries(photos.entries()),
  }),
};

export function listPhotos(world: StoreWorld, call: RecordCall): ModelResponse {
  const { readings } = world;
  const byPhoto = readings["photos.cursor-source"] === "photo-id";
  const photos = selectedPhotos(world, call);
  const mark = ({ photo }: PhotoRow): string => (byPhoto ? photo.photoId : `photos.${photo.photoId}`);
  const found = pageAfter(world, photos, mark, call.query, parameter(call.query, "cursor"));
  if (found === undefined) return invalid(world, "cursor", "is not a cursor of this list");
  const views = found.page.map(({ photo, protocol }) => photoView(photo, protocol, readings));
  return success({
    externalId: call.path["externalId"] ?? "",
    ...pageShapes[readings["photos.page-shape"]](views, byPhoto ? {} : { cursor: found.next }),
  });
}
