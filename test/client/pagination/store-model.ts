/** A server of `GET /v1/stores`, written from store 4 Stores. */
export interface StoreModel {
  /** The rows in the server's order; null where a store has no external ID. */
  externalIds: readonly (string | null)[];
  /** The cursor of a page: its last external ID, or the first one of the next page. */
  cursorStart: "after" | "at";
  /** The cursor if that ID is null: null, or the last ID before it that is not null. */
  nullCursor: "null" | "last-id";
}

export function storeServer({
  externalIds,
  cursorStart,
  nullCursor,
}: StoreModel): (url: string) => Promise<Response> {
  const offset = cursorStart === "after" ? 1 : 0;
  const cursorAt = (end: number): string | null => {
    const id = externalIds[end - offset] ?? null;
    if (id !== null || nullCursor === "null") return id;
    return externalIds.slice(0, end).findLast((one) => one !== null) ?? null;
  };
  return async (url) => {
    const { searchParams: query } = new URL(url);
    const cursor = query.get("cursor");
    const start = cursor === null ? 0 : externalIds.indexOf(cursor) + offset;
    const end = start + Number(query.get("limit") ?? 100);
    const items = externalIds
      .map((externalId, at) => ({ storeId: `id-${at}`, externalId }))
      .slice(start, end);
    return new Response(
      JSON.stringify({ items, nextCursor: end < externalIds.length ? cursorAt(end) : null }),
    );
  };
}
