import { imageStatuses, protocolStatuses } from "../../../generated/store.enums.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok, type UncheckedQuery } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import type { PhotoRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { expositionOf, externalIdOf, requireStore } from "./ids.ts";
import { urlsInResponse } from "./protocols.ts";
import { timedPage } from "./timeline.ts";
import { photoInstant, timeRange, timeRangeIssues, withResponseTimes } from "./times.ts";

/** `GET /v1/stores/{externalId}/photos` */
export const listPhotos: Handler<StoreCall> = {
  find: (call) => {
    requireStore(call);
    const unknown = call.is("photos.unknown-ids", "not-found") ? unknownFilter(call) : undefined;
    if (unknown !== undefined) refuseUnknown(unknown, call.is);
  },
  check: (call) => [...timeRangeIssues(call), ...statusIssues(call), ...filterIssues(call)],
  run: (call) => {
    const { store, is } = call;
    const order = (["oldest-first", "newest-first", "unordered"] as const).find((name) =>
      is("photos.order", name),
    );
    const { items: rows, nextCursor } = timedPage(call, {
      name: "photos",
      order: order ?? "oldest-first",
      rows: store.photos.get(externalIdOf(call)) ?? [],
      id: "photoId",
      isListed: photoFilter(call),
    });
    const withUrl = urlsInResponse(call);
    const items = rows.map((row) => withUrl(withResponseTimes(row, ["createdAt"], is)));
    // gaps photos.page-shape, photos.cursor-source
    const externalId = externalIdOf(call);
    const hasCursor = is("photos.cursor-source", "response");
    if (is("photos.page-shape", "no-list")) return ok({ externalId, count: items.length });
    if (is("photos.page-shape", "data-cursor"))
      return ok({ externalId, data: items, ...(hasCursor && { cursor: nextCursor }) });
    const name = is("photos.page-shape", "photos-nextCursor") ? "photos" : "items";
    return ok({ externalId, [name]: items, ...(hasCursor && { nextCursor }) });
  },
};

/** The name under which the query holds the second value of `status`. */
const SECOND_STATUS = "secondStatus";

/** Splits two values of `status`, so that the schema validates the first. gap photos.two-statuses */
export function splitStatuses({ [SECOND_STATUS]: _, ...others }: UncheckedQuery, is: Is): UncheckedQuery {
  const { status } = others;
  if (!Array.isArray(status) || status.length !== 2 || is("photos.two-statuses", "one")) return others;
  const [first = "", second = ""] = status;
  return { ...others, status: first, [SECOND_STATUS]: second };
}

function statusIssue(message: string): Issue[] {
  return [{ path: "status", message, code: "invalid_value" }];
}

/** gaps photos.status, photos.two-statuses */
function statusIssues({ query: { status, [SECOND_STATUS]: second }, is }: StoreCall): Issue[] {
  const [ofProtocol, ofImage]: [readonly unknown[], readonly unknown[]] = [protocolStatuses, imageStatuses];
  if (second !== undefined) {
    const isPair =
      (ofProtocol.includes(status) && ofImage.includes(second)) ||
      (ofProtocol.includes(second) && ofImage.includes(status));
    return isPair ? [] : statusIssue("must be a protocol status and an image status");
  }
  const known = is("photos.status", "protocol-only")
    ? ofProtocol
    : is("photos.status", "image-only")
      ? ofImage
      : [status];
  return status === undefined || known.includes(status)
    ? []
    : statusIssue(`must be one of ${known.join(", ")}`);
}

/** Returns which filter names an entity that the store does not have. */
function unknownFilter(call: StoreCall): "protocol" | "exposition" | undefined {
  const { protocolId, expositionId } = call.query;
  const protocols = call.store.protocols.get(externalIdOf(call)) ?? [];
  if (protocolId !== undefined && !protocols.some((row) => row.protocolId === protocolId)) return "protocol";
  const isKnown = typeof expositionId !== "string" || expositionOf(call, expositionId) !== undefined;
  return isKnown ? undefined : "exposition";
}

/** gap photos.unknown-ids */
function filterIssues(call: StoreCall): Issue[] {
  const unknown = call.is("photos.unknown-ids", "invalid") ? unknownFilter(call) : undefined;
  if (unknown === undefined) return [];
  return [{ path: `${unknown}Id`, message: `is not the ID of a ${unknown} of this store` }];
}

function photoFilter(call: StoreCall): (photo: PhotoRow) => boolean {
  const { store, query, is } = call;
  const isInRange = timeRange(call);
  const expositionId = query.expositionId?.toLowerCase();
  const protocols = store.protocols.get(externalIdOf(call)) ?? [];
  const byId = new Map(protocols.map((protocol) => [protocol.protocolId, protocol]));
  return (photo) => {
    const protocol = byId.get(photo.protocolId);
    return (
      isInRange(photoInstant(photo, protocol, is)) &&
      (query.protocolId === undefined || query.protocolId === photo.protocolId) &&
      (expositionId === undefined || expositionId === String(photo.expositionId).toLowerCase()) &&
      hasStatus(call, photo.status, protocol?.status)
    );
  };
}

/** gaps photos.status, photos.two-statuses, lists.unfiltered-status */
function hasStatus({ query, is }: StoreCall, image: string, protocol: string | undefined): boolean {
  const { status, [SECOND_STATUS]: second } = query;
  if (status === undefined) return is("lists.unfiltered-status", "every") || image === "completed";
  if (second !== undefined)
    return (status === protocol && second === image) || (second === protocol && status === image);
  const [isProtocol, isImage] = [status === protocol, status === image];
  if (is("photos.status", "protocol-only")) return isProtocol;
  if (is("photos.status", "image-only")) return isImage;
  const isShared = status === "completed" || status === "failed"; // both enums have it
  if (!isShared || is("photos.status", "either")) return isProtocol || isImage;
  if (is("photos.status", "both")) return isProtocol && isImage;
  return is("photos.status", "protocol") ? isProtocol : isImage;
}
