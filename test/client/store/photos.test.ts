import { describe, expect, it } from "vitest";
import { storeClientReadings } from "../../../generated/readings.ts";
import { UnexpectedResponseError } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { range, stubClient } from "./stub-client.ts";

type Reading = (typeof storeClientReadings)["photos.page-shape"][number];

const photo = (id: number) => ({ photoId: `I-${id}` });

/** A page under each reading of the gap photos.page-shape; `cursor` is null after the last. */
const bodies: Record<Reading, (items: object[], cursor: string | null) => object> = {
  "items-nextCursor": (items, nextCursor) => ({ items, nextCursor, count: 9 }),
  "photos-nextCursor": (photos, nextCursor) => ({ photos, nextCursor, count: 9 }),
  "data-cursor": (data, cursor) => ({ data, cursor, count: 9 }),
  "no-list": () => ({ count: 9 }),
};
const readings = [...storeClientReadings["photos.page-shape"]];
const withList = readings.filter((reading) => reading !== "no-list");

function photosUnder(server: Reading, configured: Reading) {
  const pageBody = (cursor: string | undefined) =>
    cursor === undefined ? bodies[server]([photo(1), photo(2)], "c1") : bodies[server]([photo(3)], null);
  const { client, sent } = stubClient(({ query }) => json(pageBody(query.cursor)), {
    readings: { "photos.page-shape": configured },
  });
  return { list: client.photos.list("S", range), sent, first: pageBody(undefined) };
}

describe("the photo list", () => {
  it.each(withList)("is walked under the names of %s", async (reading) => {
    const { list, sent, first } = photosUnder(reading, reading);
    expect(await list.toArray({ limit: 9 })).toEqual([photo(1), photo(2), photo(3)]);
    expect(sent.map(({ query }) => query.cursor)).toEqual([undefined, "c1"]);
    const page = await list;
    expect(page).toMatchObject({ items: [photo(1), photo(2)], nextCursor: "c1", raw: first });
    const again = stubClient(
      ({ query }) => json(bodies[reading]([photo(query.cursor === "c1" ? 3 : 0)], null)),
      {
        readings: { "photos.page-shape": reading },
      },
    );
    expect(
      await again.client.photos.list("S", { ...range, resume: page.resume as string }).toArray({ limit: 9 }),
    ).toEqual([photo(3)]);
  });

  it("has the names items and nextCursor unless told otherwise", async () => {
    const { client } = stubClient(() => json(bodies["items-nextCursor"]([photo(1)], null)));
    expect(await client.photos.list("S", range).toArray({ limit: 9 })).toEqual([photo(1)]);
  });

  const pairs = readings.flatMap((server) => withList.map((configured) => [server, configured] as const));
  it.each(pairs.filter(([server, configured]) => server !== configured))(
    "the photo list of a server with %s is an error under %s, and its response is available unchanged",
    async (server, configured) => {
      const { list, first } = photosUnder(server, configured);
      const page = await list;
      expect(page.raw).toEqual(first);
      const error = await list.toArray({ limit: 9 }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      for (const key of Object.keys(first)) expect((error as Error).message).toContain(`\`${key}\``);
      expect((error as Error).message).toContain('"photos.page-shape"');
      expect(() => page.items).toThrow(UnexpectedResponseError);
      expect(() => page.nextCursor).toThrow(UnexpectedResponseError);
      expect(() => page.resume).toThrow(UnexpectedResponseError);
      expect(JSON.parse(JSON.stringify(page))).toEqual({ raw: first });
    },
  );

  it("the photo list without a list gives its response, and is loud when it is iterated", async () => {
    const { list, first } = photosUnder("no-list", "no-list");
    expect((await list).raw).toEqual(first);
    await expect(list.toArray({ limit: 9 })).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(list.pages().next()).rejects.toBeInstanceOf(UnexpectedResponseError);
  });

  it("the photo list without a list says which readings there are to choose from, the one without a list not among them", async () => {
    const { list } = photosUnder("no-list", "no-list");
    await expect(list.toArray({ limit: 9 })).rejects.toThrow(
      'configure them with readings: { "photos.page-shape": … } ' +
        '("items-nextCursor", "photos-nextCursor", "data-cursor"), or read .raw of the awaited page',
    );
  });

  // gap photos.cursor-source: the cursor is the ID of the last photo, and the response contains no cursor
  it("the photo list without a cursor in its response is loud, and can be walked by hand", async () => {
    const { client } = stubClient(({ query }) =>
      json({ items: query.cursor === undefined ? [photo(1)] : [] }),
    );
    await expect(client.photos.list("S", range).toArray({ limit: 9 })).rejects.toThrow("`nextCursor`");
    const { raw } = await client.photos.list("S", range);
    expect(raw).toEqual({ items: [photo(1)] });
    expect((await client.photos.list("S", { ...range, cursor: "I-1" })).raw).toEqual({ items: [] });
  });

  it("is named where a walk of it is rejected", async () => {
    const { client } = stubClient();
    const refused = client.photos.list("S", { ...range, resume: "x" });
    await expect(refused.toArray({ limit: 1 })).rejects.toThrow(
      "GET /v1/stores/{externalId}/photos: not sent: resume: must be the `resume` of a page of this list",
    );
  });

  it("still fails where the call fails", async () => {
    const { client } = stubClient(() => json({}, { status: 404 }));
    await expect(client.photos.list("S", range)).rejects.toMatchObject({ status: 404 });
  });
});
