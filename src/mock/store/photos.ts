import type { Handler, StoreCall } from "../server/call.ts";
import { ok } from "../server/exchange.ts";
import type { PhotoRow } from "./data.ts";
import { externalIdOf, requireStore } from "./stores.ts";
import { timedPage } from "./timeline.ts";
import { assertTimeRange, photoInstant, timeRange, withResponseTimes } from "./times.ts";

/** The names of the list and of its cursor. gap photos.page-shape */
const NAMES = {
  "items-nextCursor": ["items", "nextCursor"],
  "photos-nextCursor": ["photos", "nextCursor"],
  "data-cursor": ["data", "cursor"],
} as const;

/** `GET /v1/stores/{externalId}/photos` */
export const listPhotos: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => {
    assertTimeRange(call);
    const { store, is, server } = call;
    const externalId = externalIdOf(call);
    const { items: rows, nextCursor } = timedPage(call, {
      isNewestFirst: is("photos.order", "newest-first"),
      rows: store.photos.get(externalId) ?? [],
      id: "photoId",
      isListed: photoFilter(call),
    });
    const items = rows.map((row) => withResponseTimes(row, ["createdAt"], is));
    const shape = server.readings["photos.page-shape"];
    if (shape === "no-list") return ok({ externalId, count: items.length });
    const [list, cursor] = NAMES[shape];
    const hasCursor = is("photos.cursor-source", "response");
    return ok({ externalId, [list]: items, ...(hasCursor && { [cursor]: nextCursor }) });
  },
};

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

/** gap photos.status */
function hasStatus(
  { query: { status }, is }: StoreCall,
  image: string,
  protocol: string | undefined,
): boolean {
  if (status === undefined) return true;
  const isShared = status === "completed" || status === "failed"; // both enums have it
  if (isShared && is("photos.status", "protocol")) return status === protocol;
  if (isShared && is("photos.status", "image")) return status === image;
  return status === protocol || status === image;
}
