import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { range, stubClient } from "../store/stub-client.ts";

type Client = ReturnType<typeof stubClient>["client"];

const lists = {
  stores: (client: Client, resume?: string) => client.stores.list({ limit: 1, resume }),
  photos: (client: Client, resume?: string) => client.photos.list("S", { ...range, limit: 1, resume }),
  protocols: (client: Client, resume?: string) => client.protocols.list("S", { ...range, limit: 1, resume }),
};

/** A service whose cursors go in a circle after some other ones. Each page has a new item. */
function circle(before: number, length: number) {
  let count = 0;
  return stubClient(({ query }) => {
    count += 1;
    const at = query.cursor === undefined ? 0 : Number(query.cursor.slice(1));
    const next = at + 1 < before + length ? at + 1 : before;
    const id = `I-${count}`;
    return json({ items: [{ storeId: id, photoId: id, protocolId: id }], nextCursor: `c${next}` });
  });
}

describe.each(Object.entries(lists))("a loop of cursors of %s", (_name, open) => {
  it.each([
    [0, 1],
    [0, 2],
    [3, 1],
    [3, 64],
    [3, 65],
    [20, 100],
    [70, 300],
  ])(
    "is detected if %i cursors precede it and it has %i, resumed after each page",
    async (before, length) => {
      const { client } = circle(before, length);
      const walk = async (): Promise<void> => {
        let resume: string | undefined;
        for (let page = 0; page < 4 * (before + length); page += 1)
          resume = String((await open(client, resume)).resume);
      };
      await expect(walk()).rejects.toThrow("the same cursor twice");
    },
  );
});
