import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { range, stubClient } from "../store/stub-client.ts";

type Client = ReturnType<typeof stubClient>["client"];
interface Query {
  resume?: string | undefined;
  identify?: (item: Record<string, unknown>) => string;
}

const lists = {
  photos: (client: Client, query: Query = {}) => client.photos.list("S", { ...range, limit: 3, ...query }),
  protocols: (client: Client, query: Query = {}) =>
    client.protocols.list("S", { ...range, limit: 3, ...query }),
};
const strategies = ["auto", "cursor"] as const;

/**
 * Items, of which those with a capital letter have an ID; a page begins at its cursor or after it. `url` is another one
 * in each read if it is signed.
 */
function service(
  start: "at" | "after",
  isSigned: boolean,
  strategy: (typeof strategies)[number],
  notes: string,
) {
  const offset = start === "at" ? 2 : 3;
  return stubClient(
    ({ query }, index) => {
      const first = Number(query.cursor?.slice(1) ?? 0);
      const items = Array.from(notes.slice(first, first + 3), (note) => ({
        note,
        ...(/[A-Z]/.test(note) && { id: note }),
        ...(isSigned && { url: `u${index}` }),
      }));
      return json({ items, nextCursor: first + 3 < notes.length ? `c${first + offset}` : null });
    },
    { strategies: { "protocols.next-page": strategy } },
  );
}

const notesOf = (items: readonly object[]): string =>
  items.map((item) => (item as { note: string }).note).join("");
const identify = ({ note }: Record<string, unknown>): string => String(note);
const asksForIdentify = { name: "PaginationError", reason: expect.stringContaining("`identify`") as string };

const cases = Object.entries(lists).flatMap(([name, open]) =>
  strategies.map((strategy) => [name, strategy, open] as const),
);

describe.each(cases)("%s without ID under the strategy %s", (_name, strategy, open) => {
  const readInPieces = async (client: Client, query: Query = {}): Promise<object[]> => {
    const items: object[] = [];
    let resume: string | null | undefined;
    while (resume !== null) {
      const page = await open(client, { ...query, resume });
      items.push(...page.items);
      resume = page.resume;
    }
    return items;
  };

  it("are delivered once if pages begin after the cursor", async () => {
    for (const read of [readInPieces, async (client: Client) => open(client).toArray()])
      expect(notesOf(await read(service("after", false, strategy, "abcdefgh").client))).toBe("abcdefgh");
  });

  it.each([
    ["at", false, "a page begins at the cursor"],
    ["at", true, "a page begins at the cursor and their content changes"],
    ["after", true, "their content changes"],
  ] as const)("end in an error that asks for `identify` (%s, %j) if %s", async (start, isSigned, _change) => {
    const { client } = service(start, isSigned, strategy, "abcde");
    await expect(open(client).toArray()).rejects.toMatchObject(asksForIdentify);
    await expect(readInPieces(client)).rejects.toMatchObject(asksForIdentify);
  });

  it("end in an error if two equal ones are on neighboring pages", async () => {
    const { client } = service("after", false, strategy, "abccde");
    await expect(open(client).toArray()).rejects.toMatchObject(asksForIdentify);
  });

  it.each(["aBCDEFG", "AbCDEFG", "ABCdEFG", "ABCDEfG", "ABCDEFg", "ABCdEfG"])(
    "are delivered once among items with an ID that neighboring pages share (%s)",
    async (notes) => {
      const { client } = service("at", false, strategy, notes);
      for (const read of [readInPieces, async () => open(client).toArray()])
        expect(notesOf(await read(client))).toBe(notes);
    },
  );

  it.each([
    ["ABcDEFG", false],
    ["ABCDeFG", false],
    ["ABcDEFG", true],
    ["ABCDeFG", true],
  ])(
    "end in an error if two pages may share one among items with an ID (%s, signed: %j)",
    async (notes, isSigned) => {
      const { client } = service("at", isSigned, strategy, notes);
      await expect(open(client).toArray()).rejects.toMatchObject(asksForIdentify);
      await expect(readInPieces(client)).rejects.toMatchObject(asksForIdentify);
    },
  );

  it.each(["ABCCDEF", "ABBCDEF", "ABCDEEF"])(
    "end in an error if a page has two items with the ID of an item of its neighbor (%s)",
    async (notes) => {
      const { client } = service("at", true, strategy, notes);
      await expect(open(client).toArray()).rejects.toMatchObject(asksForIdentify);
      await expect(readInPieces(client)).rejects.toMatchObject(asksForIdentify);
    },
  );

  it("are delivered once with `identify`", async () => {
    for (const start of ["at", "after"] as const) {
      const { client } = service(start, true, strategy, "abcde");
      expect(notesOf(await open(client, { identify }).toArray())).toBe("abcde");
      expect(notesOf(await readInPieces(client, { identify }))).toBe("abcde");
    }
  });
});
