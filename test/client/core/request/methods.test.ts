import { describe, expect, it } from "vitest";
import { ConnectionError } from "../../../../src/client/core/errors/errors.ts";
import { ApiError, UnexpectedResponseError } from "../../../../src/client/core/errors/response-errors.ts";
import { respondWith, type Handler, socketServer } from "../socket-server.ts";
import { smallApi } from "./small-api.ts";

type Small = ReturnType<typeof smallApi>;
type Send = (api: Small) => PromiseLike<unknown>;

const methods: Record<"post" | "patch" | "delete", Send> = {
  post: (api) => api.call("createThing", { body: {} }),
  patch: (api) => api.call("updateThing", { path: { id: "1" }, body: {} }),
  delete: (api) => api.call("deleteThing", { path: { id: "1" } }),
};
const empty: Handler = (_, response) => response.writeHead(204).end();
const reset: Handler = (request) => request.socket.resetAndDestroy();

/** Responds with each handler in turn, then always with the last one. */
function inOrder(...handlers: Handler[]): Handler {
  return (request, response, index) =>
    (handlers[Math.min(index, handlers.length - 1)] as Handler)(request, response, index);
}

async function run(handler: Handler, send: Send): Promise<{ value: unknown; requests: number }> {
  const { url, requests } = await socketServer(handler);
  const value = await Promise.resolve(send(smallApi({ baseUrl: url }))).catch((reason: unknown) => reason);
  return { value, requests: requests.length };
}

describe("a request that must not be sent twice", () => {
  it.each(["createThing", "updateThing"] as const)("%s is sent once where no response comes", async (id) => {
    const { url, requests } = await socketServer(() => {});
    const input = id === "createThing" ? { body: {} } : { path: { id: "1" }, body: {} };
    const api = smallApi({ baseUrl: url, limits: { timeout: 50 } });
    await expect(api.call(id, input as never)).rejects.toMatchObject({ name: "TimeoutError", attempts: 1 });
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it.each(["post", "patch"] as const)(
    "%s is sent once where its response is lost or a failure",
    async (method) => {
      for (const handler of [
        reset,
        respondWith(500, "{}"),
        respondWith(503, "{}", { "retry-after": "0" }),
        respondWith(408, "{}"),
      ]) {
        const { requests } = await run(handler, methods[method]);
        expect(requests).toBe(1);
      }
    },
  );

  it.each(["post", "patch"] as const)("%s is sent again where it was not processed", async (method) => {
    const responses = inOrder(respondWith(429, "{}"), respondWith(200, '{"data":{}}'));
    const { value, requests } = await run(responses, methods[method]);
    expect({ value, requests }).toEqual({ value: {}, requests: 2 });
  });
});

describe("a DELETE", () => {
  it.each([reset, respondWith(500, "{}")])(
    "is sent again, and its 404 says what may have happened",
    async (lost) => {
      const { value, requests } = await run(inOrder(lost, respondWith(404, "{}")), methods.delete);
      expect(value).toBeInstanceOf(ApiError);
      expect(value).toMatchObject({
        status: 404,
        attempts: 2,
      });
      expect(requests).toBe(2);
    },
  );

  it("a query for an operation without parameters is rejected before anything is sent", async () => {
    const fetch = () => Promise.reject(new Error("sent"));
    await expect(smallApi({ fetch }).call("listThings", { query: { limit: 1 } })).rejects.toMatchObject({
      issues: [{ path: "limit" }],
    });
  });

  it("that was rejected before says nothing of the kind", async () => {
    const { value } = await run(inOrder(respondWith(429, "{}"), respondWith(404, "{}")), methods.delete);
    expect(value).toMatchObject({
      status: 404,
      attempts: 2,
    });
    expect((value as Error).message).not.toContain("may have");
  });

  it("that is sent again says nothing of deleting if its status is 409", async () => {
    const lost = respondWith(500, "{}");
    const { value } = await run(inOrder(lost, respondWith(409, "{}")), methods.delete);
    expect(value).toMatchObject({ status: 409, attempts: 2 });
    expect((value as Error).message).not.toContain("may have");
  });

  it("resolves with null if the response is empty", async () => {
    expect((await run(empty, methods.delete)).value).toBeNull();
    expect((await run(respondWith(200, ""), methods.delete)).value).toBeNull();
    expect((await run(respondWith(200, "  \n"), methods.post)).value).toBeInstanceOf(UnexpectedResponseError);
  });

  it("that gets no response at all is a ConnectionError", async () => {
    expect((await run(reset, methods.delete)).value).toBeInstanceOf(ConnectionError);
  });
});

it("an envelope that lacks its data is an UnexpectedResponseError", async () => {
  expect((await run(respondWith(200, '{"meta":{}}'), methods.patch)).value).toMatchObject({
    name: "UnexpectedResponseError",
    message: expect.stringContaining(
      "PATCH /things/{id}: 200 without the `data` of an envelope { data, meta }",
    ) as string,
  });
});

it("meta comes with the response", async () => {
  const { url, requests } = await socketServer(respondWith(200, '{"data":{"id":"1"},"meta":{}}'));
  const call = smallApi({ baseUrl: url }).call("createThing", { body: {} });
  expect(await call).toEqual({ id: "1" });
  expect(await call.withResponse()).toMatchObject({ data: { id: "1" }, meta: {}, response: { status: 200 } });
  expect(requests).toHaveLength(1);
});
