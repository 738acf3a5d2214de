import { describe, expect, it } from "vitest";
import type { Shape } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { range, stubClient, token } from "./stub-client.ts";

/** A schema that refuses everything with these issues. */
function refusing(issues: { message: string; path?: PropertyKey[] }[]): Shape {
  return { "~standard": { version: 1, validate: () => ({ issues }) } };
}

const route = "GET /v1/stores/{externalId}/fill-rates";

describe("a value that a shape rejects", () => {
  async function refused(count: number, body: string): Promise<unknown> {
    const issues = Array.from({ length: count }, (_, at) => ({ message: "bad", path: [`m${at}`] }));
    const shapes = { storeFillRates: refusing(issues) };
    const { client } = stubClient(() => new Response(body), { shapes });
    return client.fillRates.forStore("S", range).catch((error: unknown) => error);
  }

  it.each([
    [1, "m0: bad"],
    [5, "m0: bad; m1: bad; m2: bad; m3: bad; m4: bad"],
    [7, "m0: bad; m1: bad; m2: bad; m3: bad; m4: bad (and 2 more)"],
  ])("is named with %i issues, five of them in the message", async (count, words) => {
    const error = await refused(count, '{"a":1}');
    expect(error).toMatchObject({
      message: `${route}: 200 does not fit the shape: ${words}`,
      body: '{"a":1}',
    });
    expect((error as { issues: unknown[] }).issues).toHaveLength(count);
  });

  it("is an error too where it is nested deeper than a schema can follow", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(await refused(1, `{"a":${deep}}`)).toMatchObject({
      name: "UnexpectedResponseError",
      body: `{"a":${"[".repeat(1019)}`,
    });
  });

  it("a shape that rejects a whole response is named, and the token is redacted in its message", async () => {
    const shapes = { storeFillRates: refusing([{ message: `not ${token}` }]) };
    const { client } = stubClient(() => json({ [token]: 1 }), { shapes });
    await expect(client.fillRates.forStore("S", range)).rejects.toMatchObject({
      message: `${route}: 200 does not fit the shape: the value: not [redacted]`,
      body: '{"[redacted]":1}',
      issues: [{ path: "", message: "not [redacted]" }],
    });
  });
});

describe("a violation of the contract's schema has a readable message", () => {
  it("before sending", async () => {
    const { client } = stubClient();
    await expect(client.stores.upsert("S", { name: 5 as never })).rejects.toThrow(
      "PUT /v1/stores/{externalId}: not sent: name: must be a string",
    );
  });
});

it("an empty object is a valid response where the contract shows no property", async () => {
  const { client } = stubClient(() => json({}));
  expect(await client.fillRates.forStore("S", range)).toEqual({});
});

it.each([true, undefined, { "0": 1 }])("a list that is %j instead of an array is named", async (list) => {
  const { client } = stubClient(() => json({ externalId: "S", items: list, images: list }));
  await expect(client.contacts.get("S")).rejects.toMatchObject({
    message: "GET /v1/stores/{externalId}/contacts: 200 does not fit the contract: items: must be an array",
    issues: [{ path: "items", message: "must be an array" }],
  });
  await expect(client.protocols.get("S", "P")).rejects.toMatchObject({
    issues: [{ path: "images", message: "must be an array" }],
  });
});
