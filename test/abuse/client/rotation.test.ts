// Findings 2 and 8: rotated tokens were quoted; the token function ran once for each of many calls, without the
// rejected token.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { everything } from "../../secrets/forms.ts";
import { clientOf, rejection, settle } from "./attack.ts";

const old = "old-token-0123456789";
const fresh = "new-token-9876543210";

const bearer = (init: RequestInit): string => new Headers(init.headers).get("authorization") ?? "";

describe("after a token rotation", () => {
  it("an error does not quote the previous token", async () => {
    const tokens = [old, fresh];
    let sent = 0;
    const client = clientOf({
      token: () => tokens.shift() ?? fresh,
      fetch: async () => {
        sent += 1;
        if (sent === 1) return new Response("{}", { status: 401 });
        return Response.json({ error: { code: "x", message: `not ${old}, not ${fresh}` } }, { status: 400 });
      },
    });
    const error = await rejection(client.stores.get("S"));
    expect((error as Error).message).toContain("not [redacted], not [redacted]");
    expect(everything(error)).not.toMatch(/old-token|new-token/);
  });

  it("an error after a retry does not quote the token of the attempt before", async () => {
    const tokens = [old, fresh];
    let sent = 0;
    const client = clientOf({
      token: () => tokens.shift() ?? fresh,
      fetch: async () => {
        sent += 1;
        if (sent === 1) return new Response("", { status: 503 });
        return new Response(`<p>${old} ${fresh}`, { status: 404 });
      },
    });
    const error = await rejection(client.stores.get("S"));
    expect(everything(error)).not.toMatch(/old-token|new-token/);
  });

  it("an error of a slow call does not quote its token, regardless of the number of later calls", async () => {
    const given: string[] = [];
    let resolveToken: (response: Response) => void = () => {};
    const client = clientOf({
      token: () => {
        given.push(randomUUID());
        return given.at(-1) as string;
      },
      fetch: (_, init) => {
        const quoted = bearer(init).slice("Bearer ".length);
        if (quoted === given[0]) {
          return new Promise((resolve) => {
            resolveToken = () => resolve(new Response(`<p>${quoted}`, { status: 404 }));
          });
        }
        return Promise.resolve(Response.json({ storeId: "1" }));
      },
    });
    const slow = rejection(client.stores.get("slow"));
    await settle();
    for (let call = 0; call < 200; call += 1) await client.stores.get("S");
    resolveToken(new Response());
    const error = await slow;
    expect(error).toMatchObject({ name: "StoreApiError", body: "<p>[redacted]" });
    expect(everything(error)).not.toContain(given[0]);
    expect(given).toHaveLength(201);
  });
});

describe("100 concurrent calls that receive a 401", () => {
  it("run the token function once for all replacements, and pass it the rejected token", async () => {
    const requested: (string | undefined)[] = [];
    let now = old;
    const client = clientOf({
      token: async ({ refused }) => {
        requested.push(refused);
        await new Promise((resolve) => setImmediate(resolve));
        if (refused === old) now = fresh;
        return now;
      },
      fetch: async (_, init) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (bearer(init) === `Bearer ${old}`) return new Response("{}", { status: 401 });
        return Response.json({ storeId: "1" });
      },
    });
    await Promise.all(Array.from({ length: 100 }, () => client.stores.get("S")));
    expect(requested.filter((refused) => refused !== undefined)).toEqual([old]);
  });
});
