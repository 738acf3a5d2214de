import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { range, stubClient } from "../store/stub-client.ts";

type Client = ReturnType<typeof stubClient>["client"];

const lists = {
  stores: (client: Client, query: object) => client.stores.list({ limit: 2, ...query }),
  photos: (client: Client, query: object) => client.photos.list("S", { ...range, limit: 2, ...query }),
  protocols: (client: Client, query: object) => client.protocols.list("S", { ...range, limit: 2, ...query }),
};

/** A service whose cursor is a number of entries. Its rows change before a request. */
function service(before: (ids: string[], request: number) => void, ids = ["a", "b", "c", "d", "e", "f"]) {
  const rows = [...ids];
  return stubClient(({ query }, index) => {
    before(rows, index + 1);
    const start = Number(query.cursor?.slice(1) ?? 0);
    const items = rows
      .slice(start, start + 2)
      .map((id) => ({ storeId: id, externalId: id, photoId: id, protocolId: id }));
    return json({ items, nextCursor: start + 2 < rows.length ? `c${start + 2}` : null });
  });
}

const namesOf = (items: readonly object[]): string[] =>
  items.map((item) => (item as { storeId: string }).storeId);

describe.each(Object.entries(lists))("a verified list of %s", (_name, open) => {
  it("delivers an entry that one pass misses because another one was deleted", async () => {
    const { client } = service((rows, request) => void (request === 2 && rows.shift()));
    const items = await open(client, { verify: true }).toArray();
    expect(namesOf(items)).toEqual(["b", "c", "d", "e", "f"]);
  });

  it("delivers an entry that moves behind the walk, also after a resume", async () => {
    const { client } = service(() => {});
    const { items, resume } = await open(client, { verify: true });
    const moved = service(() => {}, ["f", "a", "b", "c", "d", "e"]);
    const rest = await open(moved.client, { verify: true, resume: String(resume) }).toArray();
    expect([...namesOf(items), ...namesOf(rest)].toSorted((a, b) => a.localeCompare(b))).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
      "f",
    ]);
  });

  it("ends in an error after five passes that differ", async () => {
    let next = 0;
    const { client } = service((rows) => {
      rows.push(`new-${(next += 1)}`);
      rows.shift();
    });
    await expect(open(client, { verify: true }).toArray()).rejects.toMatchObject({
      name: "PaginationError",
      reason: "the list changed during 5 passes (`verify`)",
    });
  });

  it("rejects another value than true or false", async () => {
    const { client, sent } = service(() => {});
    await expect(open(client, { verify: 1 })).rejects.toMatchObject({ issues: [{ path: "verify" }] });
    expect(sent).toEqual([]);
  });
});
