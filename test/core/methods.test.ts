import { describe, expect, it } from "vitest";
import { ApiError, ConnectionError, UnexpectedResponseError } from "../../src/core/errors/errors.ts";
import { smallHttp } from "./small-http.ts";
import { answerWith, type Handler, socketServer } from "./socket-server.ts";

type Small = ReturnType<typeof smallHttp>;
type Send = (http: Small) => PromiseLike<unknown>;

const methods: Record<"post" | "patch" | "delete", Send> = {
  post: (http) => http.post("/things", { body: {} }),
  patch: (http) => http.patch("/things/{id}", { path: { id: "1" }, body: {} }),
  delete: (http) => http.delete("/things/{id}", { path: { id: "1" } }),
};
const empty: Handler = (_, response) => response.writeHead(204).end();
const reset: Handler = (request) => request.socket.resetAndDestroy();

/** Answers in turn; the last answer stays. */
function inTurn(...handlers: Handler[]): Handler {
  return (request, response, index) =>
    (handlers[Math.min(index, handlers.length - 1)] as Handler)(request, response, index);
}

async function run(handler: Handler, send: Send): Promise<{ value: unknown; requests: number }> {
  const { url, requests } = await socketServer(handler);
  const value = await Promise.resolve(send(smallHttp(url))).catch((reason: unknown) => reason);
  return { value, requests: requests.length };
}

describe("what may not be sent twice", () => {
  it.each(["post", "patch"] as const)(
    "%s is sent once where its answer is lost or a failure",
    async (method) => {
      for (const handler of [
        reset,
        answerWith(500, "{}"),
        answerWith(503, "{}"),
        answerWith(408, "{}"),
        () => {},
      ]) {
        const { requests } = await run(handler, methods[method]);
        expect(requests).toBe(1);
      }
    },
  );

  it.each(["post", "patch"] as const)("%s is sent again where it was not processed", async (method) => {
    for (const refusal of [answerWith(429, "{}"), answerWith(503, "{}", { "retry-after": "0" })]) {
      const { value, requests } = await run(inTurn(refusal, answerWith(200, '{"data":{}}')), methods[method]);
      expect({ value, requests }).toEqual({ value: {}, requests: 2 });
    }
  });
});

describe("a DELETE", () => {
  it.each([reset, answerWith(500, "{}")])(
    "is sent again, and its 404 says what may have happened",
    async (lost) => {
      const { value, requests } = await run(inTurn(lost, answerWith(404, "{}")), methods.delete);
      expect(value).toBeInstanceOf(ApiError);
      expect(value).toMatchObject({
        status: 404,
        attempts: 2,
      });
      expect(requests).toBe(2);
    },
  );

  it("that was refused before says nothing of the kind", async () => {
    const { value } = await run(inTurn(answerWith(429, "{}"), answerWith(404, "{}")), methods.delete);
    expect(value).toMatchObject({
      status: 404,
      attempts: 2,
    });
    expect((value as Error).message).not.toContain("may have");
  });

  it("is answered with null where the answer is nothing", async () => {
    expect((await run(empty, methods.delete)).value).toBeNull();
    expect((await run(answerWith(200, ""), methods.delete)).value).toBeNull();
    expect((await run(answerWith(200, "  \n"), methods.post)).value).toBeInstanceOf(UnexpectedResponseError);
  });

  it("that gets no answer at all is a ConnectionError", async () => {
    expect((await run(reset, methods.delete)).value).toBeInstanceOf(ConnectionError);
  });
});

it("an envelope that lacks its data is an UnexpectedResponseError", async () => {
  expect((await run(answerWith(200, '{"meta":{}}'), methods.patch)).value).toMatchObject({
    name: "UnexpectedResponseError",
    message: "PATCH /things/{id}: 200 without `data`",
  });
});

it("meta comes with the response", async () => {
  const { url, requests } = await socketServer(answerWith(200, '{"data":{"id":"1"}}'));
  const call = smallHttp(url).post("/things", { body: {} });
  expect(await call).toEqual({ id: "1" });
  expect(await call.withResponse()).toMatchObject({ data: { id: "1" }, meta: {}, response: { status: 200 } });
  expect(requests).toHaveLength(1);
});
