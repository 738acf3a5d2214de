import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreClient } from "../../../src/index.ts";
import { readPages, type RequestedPages } from "../kinds.ts";

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** Returns the rows of a store whose service sends this body. */
async function rowsOf(kind: keyof typeof readPages, body: string): Promise<unknown[]> {
  const fetch = async (): Promise<Response> => new Response(body);
  const client = new StoreClient({ baseUrl: "https://stores.example.com", token: "token", fetch });
  const { signal } = new AbortController();
  const wanted: RequestedPages = {
    client,
    externalId: "S-1",
    pageSize: 100,
    range,
    resume: undefined,
    signal,
    pull: undefined,
  };
  const keys: unknown[] = [];
  for await (const { rows } of readPages[kind](wanted)) keys.push(...rows.map(({ key }) => key));
  return keys;
}

for (const [kind, id] of [
  ["protocols", "protocolId"],
  ["photos", "photoId"],
] as const) {
  for (const [name, first, second] of [
    ["that JavaScript rounds to one number", "9007199254740992", "9007199254740993"],
    ["that are empty", '""', '""'],
    ["that PostgreSQL would store as one text", String.raw`"a\ud800"`, String.raw`"a\udfff"`],
  ] as const) {
    test(`two ${kind} with IDs ${name} are two rows`, async () => {
      const items = `[{"${id}":${first},"n":1},{"${id}":${second},"n":2}]`;
      const keys = await rowsOf(kind, `{"externalId":"S-1","items":${items},"nextCursor":null}`);
      assert.equal(new Set(keys).size, 2, String(keys));
    });
  }

  test(`${kind} with an ID that PostgreSQL cannot store have the same key again`, async () => {
    const bodies = ["1", "2"].map(
      (n) => String.raw`{"externalId":"S-1","items":[{"${id}":"a\u0000","n":${n}}],"nextCursor":null}`,
    );
    const keys = await Promise.all(bodies.map((body) => rowsOf(kind, body)));
    assert.deepEqual(keys[0], keys[1]);
    assert.doesNotMatch(String(keys), /\0/);
  });

  test(`${kind} with an empty ${id} have the key of their id`, async () => {
    const items = `[{"${id}":"","id":"a"},{"${id}":null,"id":7}]`;
    assert.deepEqual(await rowsOf(kind, `{"externalId":"S-1","items":${items},"nextCursor":null}`), [
      "a",
      "7",
    ]);
  });
}

for (const body of ['{"errors":["maintenance"]}', '{"error":{"code":"internal","issues":[]}}'])
  test(`an error page with status 200 is not saved as fill rates: ${body}`, async () => {
    await assert.rejects(rowsOf("fill-rates", body), { name: "UnexpectedResponseError" });
  });
