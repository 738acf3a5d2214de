import { imageStatuses, protocolStatuses } from "../../../../generated/store.enums.ts";
import { type ApiResponse, type Issue, ok } from "../../http/api-response.ts";
import type { QueryValues, UncheckedQuery } from "../../http/query.ts";
import type { MockReadings } from "../../server/readings.ts";
import { listForm, recordedOr, urlsInResponse, withResponseTimes } from "./response-rows.ts";
import type { CursorPage } from "./faulty-pages.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import type { PhotoRow } from "./data.ts";
import { notFound } from "./errors.ts";
import { expositionOf, externalIdOf, requireStore } from "./path-ids.ts";
import { TimeRange, photoInstants, timeRangeIssues } from "./time-range.ts";
import { timedPage } from "./timeline.ts";

/** `GET /v1/stores/{externalId}/photos` */
export const listPhotos: StoreHandler = {
  find: (context) => requireStore(context) ?? findFiltered(context),
  check: (context) => [...timeRangeIssues(context), ...statusIssues(context), ...filterIssues(context)],
  run: (context) => {
    const { data, readings } = context;
    const rows = data.photos.get(externalIdOf(context)) ?? [];
    const list = { name: "photos", order: readings["photos.order"], rows, id: "photoId" } as const;
    const page = timedPage(context, { ...list, isListed: photoFilter(context) });
    return "status" in page ? page : ok(bodyOf(context, page));
  },
};

/** gaps photos.status, photos.two-statuses */
function statusIssues({ query, readings }: StoreContext): Issue[] {
  if (query[SECOND_STATUS] !== undefined) return pairIssues(query);
  const reading = readings["photos.status"];
  if (query.status === undefined || (reading !== "protocol-only" && reading !== "image-only")) return [];
  const known: readonly unknown[] = reading === "protocol-only" ? protocolStatuses : imageStatuses;
  if (known.includes(query.status)) return [];
  return [{ path: "status", message: `must be one of ${known.join(", ")}`, code: "invalid_value" }];
}

/** Returns which filter names an entity that the store does not have. */
function unknownFilter(context: StoreContext): "protocol" | "exposition" | undefined {
  const { data, query } = context;
  const key = externalIdOf(context);
  const { protocolId, expositionId } = query;
  const protocols = data.protocols.get(key) ?? [];
  if (protocolId !== undefined && !protocols.some((row) => row.protocolId === protocolId)) return "protocol";
  if (typeof expositionId !== "string") return undefined;
  return expositionOf(data.expositions.get(key) ?? [], expositionId) ? undefined : "exposition";
}

/** gap photos.unknown-ids */
function findFiltered(context: StoreContext): ApiResponse | undefined {
  if (context.readings["photos.unknown-ids"] !== "not-found") return undefined;
  const unknown = unknownFilter(context);
  return unknown && notFound(unknown, context.readings);
}

/** gap photos.unknown-ids */
function filterIssues(context: StoreContext): Issue[] {
  const unknown = context.readings["photos.unknown-ids"] === "invalid" ? unknownFilter(context) : undefined;
  return unknown === undefined
    ? []
    : [{ path: `${unknown}Id`, message: `is not the ID of a ${unknown} of this store` }];
}

function photoFilter(context: StoreContext): (photo: PhotoRow) => boolean {
  const { data, query } = context;
  const range = new TimeRange(context);
  const instantOf = photoInstants(context);
  const expositionId = query.expositionId?.toLowerCase();
  const protocols = data.protocols.get(externalIdOf(context)) ?? [];
  const byId = new Map(protocols.map((protocol) => [protocol.protocolId, protocol]));
  return recordedOr(
    context,
    (photo) =>
      range.has(instantOf(photo, byId.get(photo.protocolId))) &&
      (query.protocolId === undefined || query.protocolId === photo.protocolId) &&
      (expositionId === undefined || expositionId === String(photo.expositionId).toLowerCase()) &&
      hasStatus(context, photo.status, byId.get(photo.protocolId)?.status),
  );
}

/** The name under which the query holds the second value of `status`. */
const SECOND_STATUS = "secondStatus";

/** Splits two values of `status`, so that the schema validates the first. gap photos.two-statuses */
export function splitStatuses(query: UncheckedQuery, readings: MockReadings): UncheckedQuery {
  const { [SECOND_STATUS]: _, ...others } = query;
  const { status } = others;
  if (!Array.isArray(status) || readings["photos.two-statuses"] === "one") return others;
  const [first, second, third] = status;
  if (first === undefined || second === undefined || third !== undefined) return others;
  return { ...others, status: first, [SECOND_STATUS]: second };
}

function isPair(protocolStatus: unknown, imageStatus: unknown): boolean {
  const [protocolMatch, imageMatch]: (readonly unknown[])[] = [protocolStatuses, imageStatuses];
  return protocolMatch?.includes(protocolStatus) === true && imageMatch?.includes(imageStatus) === true;
}

function pairIssues({ status, [SECOND_STATUS]: second }: QueryValues): Issue[] {
  if (isPair(status, second) || isPair(second, status)) return [];
  const message = "must be a protocol status and an image status";
  return [{ path: "status", message, code: "invalid_value" }];
}

/** gaps photos.status, photos.two-statuses */
function hasStatus({ query, readings }: StoreContext, image: string, protocol: string | undefined): boolean {
  const { status, [SECOND_STATUS]: second } = query;
  // gap lists.unfiltered-status
  if (status === undefined) return readings["lists.unfiltered-status"] === "every" || image === "completed";
  if (second !== undefined)
    return (status === protocol && second === image) || (second === protocol && status === image);
  const [protocolMatch, imageMatch] = [status === protocol, status === image];
  const shared = status === "completed" || status === "failed";
  switch (readings["photos.status"]) {
    case "either":
      return protocolMatch || imageMatch;
    case "both":
      return shared ? protocolMatch && imageMatch : protocolMatch || imageMatch;
    case "protocol":
      return shared ? protocolMatch : protocolMatch || imageMatch;
    case "image":
      return shared ? imageMatch : protocolMatch || imageMatch;
    case "protocol-only":
      return protocolMatch;
    case "image-only":
      return imageMatch;
  }
}

/** gaps photos.page-shape, photos.cursor-source */
function bodyOf(context: StoreContext, { items: rows, nextCursor }: CursorPage<PhotoRow>): unknown {
  const { readings } = context;
  const externalId = externalIdOf(context);
  const withUrls = urlsInResponse(context);
  const items = rows.map((row) =>
    withUrls(listForm(row, () => withResponseTimes(row, ["createdAt"], readings))),
  );
  const hasNextCursor = readings["photos.cursor-source"] === "response";
  switch (readings["photos.page-shape"]) {
    case "items-nextCursor":
      return { externalId, items, ...(hasNextCursor && { nextCursor }) };
    case "photos-nextCursor":
      return { externalId, photos: items, ...(hasNextCursor && { nextCursor }) };
    case "data-cursor":
      return { externalId, data: items, ...(hasNextCursor && { cursor: nextCursor }) };
    case "no-list":
      return { externalId, count: items.length };
  }
}
