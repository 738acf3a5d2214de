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
  return { client, list: client.photos.list("S", range), sent, first: pageBody(undefined) };
}

describe("the photo list", () => {
  it.each(withList)("is walked under the names of %s", async (reading) => {
    const { list, sent, first } = photosUnder(reading, reading);
    expect(await list.take(9)).toEqual([photo(1), photo(2), photo(3)]);
    expect(sent.map(({ query }) => query.cursor)).toEqual([undefined, "c1"]);
    const page = await list;
    expect(page).toMatchObject({ items: [photo(1), photo(2)], nextCursor: "c1", raw: first });
    const again = stubClient(
      ({ query }) => json(bodies[reading]([photo(query.cursor === "c1" ? 3 : 0)], null)),
      {
        readings: { "photos.page-shape": reading },
      },
    );
    expect(await again.client.photos.list("S", { ...range, resume: page.resume as string }).take(9)).toEqual([
      photo(3),
    ]);
  });

  it("has the names items and nextCursor unless told otherwise", async () => {
    const { client } = stubClient(() => json(bodies["items-nextCursor"]([photo(1)], null)));
    expect(await client.photos.list("S", range).take(9)).toEqual([photo(1)]);
  });

  const pairs = readings.flatMap((server) => withList.map((configured) => [server, configured] as const));
  it.each(pairs.filter(([server, configured]) => server !== configured))(
    "of a server with %s is an error under %s, and listRaw returns its response unchanged",
    async (server, configured) => {
      const { list, client, first } = photosUnder(server, configured);
      const error = await list.take(9).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      for (const key of Object.keys(first)) expect((error as Error).message).toContain(`\`${key}\``);
      expect((error as Error).message).toContain('"photos.page-shape"');
      expect(await client.photos.listRaw("S", range)).toEqual(first);
    },
  );

  it.each(pairs.filter(([server, configured]) => server !== configured && server !== "no-list"))(
    "with items under the names of %s as well is an error under %s",
    async (server, configured) => {
      const body = { ...bodies[server]([photo(1)], null), ...bodies[configured]([], null) };
      const { client } = stubClient(() => json(body), { readings: { "photos.page-shape": configured } });
      await expect(client.photos.list("S", range).take(9)).rejects.toThrow(
        /with items or a next page in `\w+`, besides `\w+` and `\w+`; .*"photos.page-shape"/,
      );
      const empty = stubClient(
        () => json({ ...bodies[server]([], null), ...bodies[configured]([photo(1)], null) }),
        {
          readings: { "photos.page-shape": configured },
        },
      );
      expect(await empty.client.photos.list("S", range).take(9)).toEqual([photo(1)]);
    },
  );

  it.each([
    ["items-nextCursor", { items: [photo(1)], nextCursor: null, cursor: "c2" }],
    ["data-cursor", { data: [photo(1)], cursor: null, nextCursor: "c2" }],
  ] as const)("with a next page under another name is an error under %s", async (reading, body) => {
    const { client } = stubClient(() => json(body), { readings: { "photos.page-shape": reading } });
    await expect(client.photos.list("S", range).take(9)).rejects.toThrow(UnexpectedResponseError);
    // the last page may repeat the requested cursor
    expect(await client.photos.list("S", { ...range, cursor: "c2" }).take(9)).toEqual([photo(1)]);
  });

  it("names the readings to choose from, except `no-list`", async () => {
    const { client } = photosUnder("no-list", "no-list");
    await expect(client.photos.list("S", range)).rejects.toThrow(
      'configure them with readings: { "photos.page-shape": … } ' +
        '("items-nextCursor", "photos-nextCursor", "data-cursor"), or read the response with photos.listRaw()',
    );
  });

  // gap photos.cursor-source: the cursor is the ID of the last photo, and the response contains no cursor
  it("without a cursor in its response is an error, and can be read page by page", async () => {
    const { client, sent } = stubClient(({ query }) =>
      json({ items: query.cursor === undefined ? [photo(1)] : [] }),
    );
    await expect(client.photos.list("S", range).take(9)).rejects.toThrow("`nextCursor`");
    expect(await client.photos.listRaw("S", range)).toEqual({ items: [photo(1)] });
    expect(await client.photos.listRaw("S", { ...range, cursor: "I-1" })).toEqual({ items: [] });
    expect(sent.at(-1)?.query).toMatchObject({ cursor: "I-1" });
  });

  it("is named where a walk of it is rejected", async () => {
    const { client } = stubClient();
    const refused = client.photos.list("S", { ...range, resume: "x" });
    await expect(refused.take(1)).rejects.toThrow(
      "GET /v1/stores/{externalId}/photos: not sent: resume: must be the `resume` of a page of this list",
    );
  });

  it("still fails where the call fails", async () => {
    const { client } = stubClient(() => json({}, { status: 404 }));
    await expect(client.photos.list("S", range)).rejects.toMatchObject({ status: 404 });
  });
});
