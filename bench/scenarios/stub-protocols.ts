const pageSize = 100;
const spacing = 60_000;

export const firstInstant = Date.parse("2020-01-01T00:00:00Z");
export const instantOf = (index: number): number => firstInstant + index * spacing;

/** A `fetch` of a service with a protocol for each minute. */
export function protocolsFetch(count: number): (url: string) => Promise<Response> {
  return async (url) => {
    const query = new URL(url).searchParams;
    const indexOf = (name: string): number =>
      Math.ceil((Date.parse(query.get(name) ?? "") - firstInstant) / spacing);
    const first = Math.max(0, indexOf("from"));
    const end = Math.min(count, indexOf("to"));
    const from = first + Number(query.get("cursor") ?? 0);
    const to = Math.min(end, from + pageSize);
    const items = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
      protocolId: `P-${from + index}`,
      status: "completed",
      createdAt: new Date(instantOf(from + index)).toISOString(),
    }));
    return Response.json({ externalId: "S-1", items, nextCursor: to < end ? `${to - first}` : null });
  };
}
