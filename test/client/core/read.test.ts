import { describe, expect, it } from "vitest";
import { UnexpectedResponseError } from "../../../src/client/errors.ts";
import { byId, createSmallApi, json, route, store, stubFetch } from "./small-api.ts";

const html = "<!doctype html><title>Bad gateway</title>";

function failWith(response: Response, options = {}) {
  const { fetch } = stubFetch(response);
  return createSmallApi({ fetch, retry: 0, ...options })
    .http.GET(route, byId)
    .catch((error: unknown) => error as Error);
}

describe("a successful response", () => {
  it.each<[string, Response, string]>([
    [
      "is HTML",
      new Response(html),
      "a body that is not JSON: it looks like HTML, from a proxy or a wrong base URL",
    ],
    ["is cut short", new Response('{"storeId": "1", '), "it begins like JSON and may be cut short"],
    ["is empty", new Response(" \n"), "with an empty body instead of JSON"],
    ["is text", new Response("see <here> or [there]"), "that is not JSON: see the error's body"],
    ["is an array", json([]), "with JSON that is not an object"],
    ["is not UTF-8", new Response(Uint8Array.of(0x22, 0xe9, 0x22)), "with a body that is not UTF-8"],
    ["lacks what every store has", json({ message: "maintenance" }), "without `storeId`"],
    ["has an error instead", json({ error: { code: "oops" } }), "with an error in its body"],
    ["has the status 202", json(store, 202), "is not a status of the contract"],
    ["is a redirect that the platform hides", Response.error(), "is a redirect"],
    ["has the status 304", new Response(null, { status: 304 }), "a conditional header or a cache caused it"],
  ])("that %s is an error that says so", async (_, response, words) => {
    const error = await failWith(response);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect((error as Error).message).toContain(words);
  });

  it("with properties of its own that are named like errors is data", async () => {
    const data = { ...store, errors: ["a"], error: "none", success: false };
    const { fetch } = stubFetch(json(data));
    expect((await createSmallApi({ fetch }).http.GET(route, byId)).data).toEqual(data);
  });

  it("that is larger than maxResponseBytes is an error with its beginning", async () => {
    const error = await failWith(json({ ...store, name: "x".repeat(100_000) }), { maxResponseBytes: 9000 });
    expect((error as Error).message).toContain("with a body over 9000 bytes (maxResponseBytes)");
    expect((error as UnexpectedResponseError).body).toHaveLength(1024);
  });

  it('is compared with the whole contract under `validate: "full"`', async () => {
    const error = await failWith(json({ ...store, name: 5 }), { validate: "full" });
    expect((error as UnexpectedResponseError).issues).toContainEqual({
      path: "name",
      message: "must be a string",
    });
  });

  it('about another store is an error under `validate: "full"`', async () => {
    const other = {
      storeId: "1",
      externalId: "S-2",
      name: "A",
      location: null,
      regionId: null,
      storeType: null,
    };
    const error = await failWith(json(other), { validate: "full" });
    expect((error as Error).message).toContain("externalId: is not the requested one");
    const inexact = await failWith(json({ ...other, externalId: null, x: [1, 2 ** 53] }), {
      validate: "full",
    });
    expect((inexact as UnexpectedResponseError).issues.map(({ path }) => path)).toContain("x.1");
    expect((inexact as Error).message).not.toContain("requested");
  });
});

describe("a redirect", () => {
  it.each([
    [
      "https://stores.example.com/elsewhere",
      "is a redirect to https://stores.example.com/elsewhere, which is not followed",
    ],
    ["https://user:password@eu.example.com/x", "is a redirect to https://eu.example.com/x, which"],
    ["https://eu.example.com/v1/stores/S-1", "which is not followed: set baseUrl to https://eu.example.com"],
    [
      "https://eu.example.com/api/v1/stores/S-1",
      "which is not followed: set baseUrl to https://eu.example.com/api",
    ],
  ])("to %s says what to do", async (location, words) => {
    const error = await failWith(new Response(null, { status: 302, headers: { location } }));
    expect((error as Error).message).toContain(words);
    expect(error).toMatchObject({ location: location.replace("user:password@", "") });
  });
});

describe("an error response", () => {
  it("keeps its JSON, its headers without cookies and its request ID", async () => {
    const headers = { "x-request-id": "r-1", "set-cookie": "session=1" };
    const error = await failWith(json({ error: { code: "not_found" } }, 404, headers));
    expect(error).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
      requestId: "r-1",
      route,
    });
    expect([...(error as UnexpectedResponseError).headers.keys()]).not.toContain("set-cookie");
  });

  it.each([413, 502])("with HTML and status %i says that it is HTML", async (status) => {
    const headers = { "content-type": "text/html" };
    const error = await failWith(new Response(html.padEnd(70_000), { status, headers }));
    expect((error as Error).message).toContain("it looks like HTML, from a proxy or a wrong base URL");
    expect(error).toMatchObject({ body: html.padEnd(65_536) });
  });

  it("is written by JSON.stringify without its body", async () => {
    const error = await failWith(json({ secretOfTheCustomer: 1 }, 404));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: "ApiError", status: 404, attempts: 1 });
    expect(JSON.stringify(error)).not.toContain("secretOfTheCustomer");
  });
});
