import { storeContract } from "../../../generated/store.contract.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { objectsIn } from "../../wire/json.ts";
import { type Handler, type StoreCall, unknownParameter } from "../server/call.ts";
import { refuse, refuseIssues } from "../server/exchange.ts";
import { isRfc3339, parseInstant } from "../server/clock.ts";
import type { PhotoRow, ProtocolRow } from "./data.ts";
import { timedPage } from "./pages.ts";
import { refuseUnknown, requireStore, rowsOf, timedReply } from "./stores.ts";

/** `GET /v1/stores/{externalId}/protocols`. gap protocols.next-page */
export const listProtocols: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => {
    const { query, is, server, params } = call;
    const isInRange = timeRange(call);
    if (query.cursor !== undefined && is("protocols.next-page", "rejected"))
      refuse(
        "cursor",
        unknownParameter("cursor", Object.keys(storeContract.listProtocols.query)),
        "unrecognized_keys",
      );
    const isIgnored = is("protocols.next-page", "ignored") || is("protocols.next-page", "ignored-new-cursor");
    const { items, nextCursor } = timedPage(call, isIgnored ? undefined : query.cursor, {
      isNewestFirst: is("protocols.order", "newest-first"),
      rows: rowsOf(call, "protocols"),
      id: "protocolId",
      isListed: (row) =>
        isInRange(instantOf(row, is)) && (query.status === undefined || query.status === row.status),
    });
    const isNew = nextCursor !== null && is("protocols.next-page", "ignored-new-cursor");
    return timedReply(call, {
      externalId: params.externalId,
      items: items.map((row) => summaryOf(call, row)),
      nextCursor: isNew ? server.ids.uuid() : nextCursor,
    });
  },
};

/** `GET /v1/stores/{externalId}/protocols/{protocolId}` */
export const getProtocol: Handler<StoreCall> = {
  find: (call) => void protocolOf(call),
  run: (call) => {
    const protocol = protocolOf(call);
    const own = rowsOf(call, "photos").filter(({ protocolId }) => protocolId === protocol.protocolId);
    return timedReply(call, { ...summaryOf(call, protocol), images: objectsIn(protocol.images ?? own) });
  },
};

/** Returns the protocol in the path; throws a 404 if the store or the protocol does not exist. */
function protocolOf(call: StoreCall): ProtocolRow {
  requireStore(call);
  const { protocolId: id } = call.params;
  const protocols = new Map(rowsOf(call, "protocols").map((row) => [row.protocolId, row]));
  return protocols.get(id) ?? refuseUnknown("protocol", id, protocols);
}

/** gap protocols.id-property */
function summaryOf({ is }: StoreCall, { images: _, protocolId, ...row }: ProtocolRow): JsonObject {
  if (is("protocols.id-property", "anonymous")) return row;
  return { [is("protocols.id-property", "id") ? "id" : "protocolId"]: protocolId, ...row };
}

/** The names of the list and of its cursor. gap photos.page-shape */
const PAGE_NAMES = {
  "items-nextCursor": ["items", "nextCursor"],
  "photos-nextCursor": ["photos", "nextCursor"],
  "data-cursor": ["data", "cursor"],
} as const;

/** `GET /v1/stores/{externalId}/photos`. gap photos.cursor-source */
export const listPhotos: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => {
    const { query, is, server, params } = call;
    const { items, nextCursor } = timedPage(call, query.cursor, {
      isNewestFirst: is("photos.order", "newest-first"),
      rows: rowsOf(call, "photos"),
      id: "photoId",
      isListed: photoFilter(call),
    });
    const { externalId } = params;
    const shape = server.readings["photos.page-shape"];
    if (shape === "no-list") return timedReply(call, { externalId, count: items.length });
    const [list, cursor] = PAGE_NAMES[shape];
    const hasCursor = is("photos.cursor-source", "response");
    return timedReply(call, { externalId, [list]: items, ...(hasCursor && { [cursor]: nextCursor }) });
  },
};

function photoFilter(call: StoreCall): (photo: PhotoRow) => boolean {
  const { query, is } = call;
  const isInRange = timeRange(call);
  const expositionId = query.expositionId?.toLowerCase();
  const protocols = new Map(rowsOf(call, "protocols").map((protocol) => [protocol.protocolId, protocol]));
  return (photo) => {
    const protocol = protocols.get(photo.protocolId);
    return (
      isInRange(instantOf(protocol ?? photo, is)) && // a seeded photo may name a protocol that the store does not have
      (query.protocolId === undefined || query.protocolId === photo.protocolId) &&
      (expositionId === undefined || expositionId === String(photo.expositionId).toLowerCase()) &&
      hasStatus(call, photo.status, protocol?.status)
    );
  };
}

/** gap photos.status */
function hasStatus({ query, is }: StoreCall, image: string, protocol: string | undefined): boolean {
  const { status } = query;
  if (status === undefined) return true;
  const isShared = status === "completed" || status === "failed"; // both enums have it
  if (isShared && is("photos.status", "protocol")) return status === protocol;
  if (isShared && is("photos.status", "image")) return status === image;
  return status === protocol || status === image;
}

/** The units to which instants are cut before they are compared, in milliseconds. gap time-range.precision */
const UNITS = { millisecond: 1, second: 1000, minute: 60_000, day: 86_400_000 } as const;

/**
 * Returns a function that says whether an instant is between `from` and `to`. Throws a 400 for a range that is not valid.
 * gaps time-range.ends, time-range.inverted, date-times.forms
 */
export function timeRange({ query, is, server }: StoreCall): (instant: number) => boolean {
  const message = "must be an RFC 3339 date-time such as 2026-01-31T00:00:00Z";
  const names = (["from", "to"] as const).filter((name) => !isRfc3339(query[name]));
  refuseIssues(names.map((path) => ({ path, message, code: "invalid_format" })));
  const [start, end] = [parseInstant(query.from), parseInstant(query.to)];
  if (start > end) refuse("from", "must not be after to");
  const unit = UNITS[server.readings["time-range.precision"]];
  const [from, to] = [Math.floor(start / unit), Math.floor(end / unit)];
  const hasFrom = is("time-range.ends", "half-open") || is("time-range.ends", "inclusive");
  const hasTo = is("time-range.ends", "left-open") || is("time-range.ends", "inclusive");
  return (instant) => {
    const time = Math.floor(instant / unit);
    return (time > from || (hasFrom && time === from)) && (time < to || (hasTo && time === to));
  };
}

/** Returns the instant that a range compares with; `NaN` is outside every range. gap time-range.instant */
export function instantOf({ createdAt, submittedAt }: ProtocolRow | PhotoRow, is: StoreCall["is"]): number {
  if (is("time-range.instant", "creation")) return parseInstant(createdAt);
  return typeof submittedAt === "string" ? parseInstant(submittedAt) : Number.NaN;
}
