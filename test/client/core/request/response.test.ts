import { describe, expect, it, vi } from "vitest";
import { UnexpectedResponseError } from "../../../../src/client/core/errors/response-errors.ts";
import { Api } from "../../../../src/client/core/request/api.ts";
import { json } from "../stub-fetch.ts";
import { type Setting, smallApi } from "./small-api.ts";

const secret = "small-secret-token";

/** Calls an operation whose response has an envelope. */
function call(response: Response, setting: Setting = {}): Promise<unknown> {
  return smallApi({ secret, fetch: async () => response, ...setting }).call("listThings", {});
}

describe("a response", () => {
  it.each([200, 201])("with status %i has data", async (status) => {
    expect(await call(json({ data: { id: "1" } }, { status }))).toEqual({ id: "1" });
  });

  it.each([202, 203, 299])("with status %i is an UnexpectedResponseError", async (status) => {
    const message = `GET /things: ${status} is not a status of the contract`;
    await expect(call(json({ data: { id: "1" } }, { status }))).rejects.toThrow(message);
  });

  it("with status 300 is an UnexpectedResponseError with its location", async () => {
    const response = new Response(null, { status: 300, headers: { location: "/b" } });
    await expect(call(response)).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      message: "GET /things: 300 is not a status of the contract",
      location: "/b",
    });
  });

  it("with status 201 that is not JSON leads to an error without a location", async () => {
    const response = new Response("x", { status: 201, headers: { location: "/b" } });
    const error = await call(response).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 201, location: undefined });
  });

  it("over maxResponseBytes is an UnexpectedResponseError with the beginning of the body", async () => {
    const setting = { limits: { maxResponseBytes: 5 } };
    await expect(call(new Response("123456"), setting)).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      message: "GET /things: 200 with a body over 5 bytes (maxResponseBytes)",
      body: "12345",
    });
    await expect(call(new Response('{"data":{}}'), { limits: { maxResponseBytes: 11 } })).resolves.toEqual(
      {},
    );
  });

  it.each([200, 400])(
    "with status %i that nests too deep is not parsed, which would take minutes",
    async (status) => {
      const parse = vi.spyOn(JSON, "parse");
      const body = '{"data":' + "[".repeat(1_000_000);
      await expect(call(new Response(body, { status }))).rejects.toThrow(`GET /things: ${status}`);
      expect(parse).not.toHaveBeenCalled();
      parse.mockRestore();
      const quoted = { data: { text: "[{".repeat(50_000), quote: '"\\"'.repeat(3), more: "[".repeat(501) } };
      await expect(call(json(quoted))).resolves.toEqual(quoted.data);
    },
  );

  it.each(["location", "content-location", "link"])(
    "with a password in the header %s does not show it",
    async (name) => {
      const response = json(
        {},
        { status: 400, headers: { [name]: "<https://user:password-1@a.example/b>" } },
      );
      const error = await call(response).catch((reason: unknown) => reason);
      expect(JSON.stringify(error)).toContain("<https://a.example/b>");
    },
  );

  it("with a secret in the name of a header leads to an error with another name", async () => {
    const headers = { [`x-${secret}`]: "1", "x-plain": "2" };
    await expect(call(new Response("x", { headers }))).rejects.toSatisfy((error: UnexpectedResponseError) => {
      const { "content-type": _, ...names } = Object.fromEntries(error.headers);
      expect(names).toEqual({ "x-redacted": "1", "x-plain": "2" });
      return true;
    });
  });

  it("of a transport without a platform Response has one in withResponse", async () => {
    const bytes = new TextEncoder().encode('{"data":{}}');
    const headers = new Headers({ "x-own": "1" });
    const transport = async () => ({ status: 201, headers, read: async () => ({ bytes, complete: true }) });
    const api = new Api<{ listThings: object }>({ ...smallApi().config, transport });
    const { response } = await api.call("listThings", {}).withResponse();
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.get("x-own")]).toEqual([201, "1"]);
  });
});
