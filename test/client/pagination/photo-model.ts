/** The property names of the photos and the cursor, which the contract does not show (store 4 Photos). */
export type PhotoNames = "items-nextCursor" | "photos-nextCursor" | "data-cursor";

/** A server of `GET /v1/stores/{externalId}/photos` whose cursor is the number of photos before the page. */
export function photoServer(
  photos: readonly object[],
  names: PhotoNames,
): (url: string) => Promise<Response> {
  const [items = "", cursor = ""] = names.split("-");
  return async (url) => {
    const { searchParams: query } = new URL(url);
    const start = Number(query.get("cursor") ?? 0);
    const end = start + Number(query.get("limit") ?? 100);
    const next = end < photos.length ? String(end) : null;
    return new Response(JSON.stringify({ [items]: photos.slice(start, end), [cursor]: next }));
  };
}
