import { describe, expect, it } from "vitest";
import { ApiError, ShelfleetError, type StoreApiError } from "../../../src/client/store/index.ts";
import { version } from "../../../src/wire/version.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "./stub-client.ts";

async function rejection(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("an error", () => {
  it("is called by its class", () => {
    expect(new ShelfleetError("x").name).toBe("ShelfleetError");
    const details = {
      status: 400,
      method: "GET",
      route: "/",
      url: "",
      headers: new Headers(),
      body: "",
      attempts: 1,
    };
    expect(new ApiError("x", details)).toMatchObject({ name: "ApiError", message: "GET /: 400 x" });
  });

  it("that the store API returned is called StoreApiError", async () => {
    const { client } = stubClient(() => json({}, { status: 400 }));
    expect(await rejection(client.stores.get("S"))).toHaveProperty("name", "StoreApiError");
  });

  it("of a request names every issue", async () => {
    const { client } = stubClient();
    expect(await rejection(client.stores.list({ limit: 0, cursor: 5 as never }))).toMatchObject({
      message: "GET /v1/stores: not sent: limit: must be at least 1; cursor: must be a string",
    });
  });

  it("of a response has no issues where no schema was asked", async () => {
    const { client } = stubClient(() => new Response("x"));
    expect(await rejection(client.stores.get("S"))).toMatchObject({ issues: [], location: undefined });
  });

  it("has the response's body with the token redacted in its strings and names", async () => {
    const body = { [token]: 1, error: { code: "a", message: "m", issues: [{ path: "p", message: token }] } };
    const { client } = stubClient(() => json(body, { status: 400 }));
    const error = (await rejection(client.stores.get("S"))) as StoreApiError;
    expect(error.body).toEqual({
      "[redacted]": 1,
      error: { code: "a", message: "m", issues: [{ path: "p", message: "[redacted]" }] },
    });
    expect(error.issues).toEqual([{ path: "p", message: "[redacted]" }]);
  });

  it("has 64 KiB of a text, no more and no less", async () => {
    const { client } = stubClient(() => new Response("x".repeat(70_000), { status: 400 }));
    const error = (await rejection(client.stores.get("S"))) as StoreApiError;
    expect(String(error.body)).toHaveLength(65_536);
    const html = stubClient(() => new Response("<".repeat(2000)));
    expect(((await rejection(html.client.stores.get("S"))) as { body: string }).body).toHaveLength(1024);
  });

  it("of a read that was retried says nothing of deleting", async () => {
    const { client } = stubClient((_, index) => json({}, { status: index === 0 ? 500 : 404 }), {
      retry: { maxDelay: 1 },
    });
    expect(await rejection(client.stores.get("S"))).toMatchObject({
      attempts: 2,
      message: "GET /v1/stores/{externalId}: 404 (no code): without a body that the contract describes",
    });
  });

  it.each([
    [409, "sent 2 times; an earlier attempt, whose response was lost, may have been processed"],
    [500, undefined],
  ])("with status %i of a write that was retried has the hint %j", async (status, hint) => {
    const { client } = stubClient((_, index) => json({}, { status: index === 0 ? 502 : status }), {
      retry: { limit: 1, maxDelay: 1 },
    });
    const message = "(no code): without a body that the contract describes";
    expect(await rejection(client.stores.upsert("S", {}))).toMatchObject({
      attempts: 2,
      message: `PUT /v1/stores/{externalId}: ${status} ${message}${hint === undefined ? "" : ` (${hint})`}`,
    });
  });
});

describe("a write whose redirect a browser hides", () => {
  it("is an UnexpectedResponseError", async () => {
    const hidden = Object.defineProperties(new Response('{"a":1}'), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
      ok: { value: false },
    });
    const { client, sent } = stubClient(() => hidden);
    expect(await rejection(client.stores.upsert("S", {}))).toMatchObject({
      message: "PUT /v1/stores/{externalId}: 0 is a redirect, which is not followed",
      location: undefined,
    });
    expect(sent).toHaveLength(1);
  });
});

describe("headers", () => {
  it("of the caller stand once, independent of upper and lower case", async () => {
    const { client, sent } = stubClient(() => json(store), { headers: { ACCEPT: "application/x" } });
    await client.stores.upsert("S", {}, { headers: { "Content-Type": "application/y" } });
    expect(sent[0]?.headers).toEqual({
      accept: "application/x",
      "user-agent": `shelfleet/${version}`,
      "content-type": "application/y",
      authorization: `Bearer ${token}`,
    });
  });
});
