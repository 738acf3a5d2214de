import { describe, expect, it } from "vitest";
import { TimeoutError } from "../../../src/client/store/index.ts";
import { type Responder, json } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

const unauthorized = (): Response => json({ error: { code: "unauthorized", message: "" } }, { status: 401 });
const takes =
  (token: string): Responder =>
  ({ headers }) =>
    headers.authorization === `Bearer ${token}` ? json(store) : unauthorized();

function inOrder(...tokens: string[]): { token: () => string; requested: () => number } {
  let requested = 0;
  return {
    token: () => tokens[Math.min(requested++, tokens.length - 1)] as string,
    requested: () => requested,
  };
}

describe("a function for a token", () => {
  it("is called again after a 401, and the call is retried with the new token, also a write", async () => {
    const { token, requested } = inOrder("old-token", "new-token");
    const { client, sent } = stubClient(takes("new-token"), { token, retry: 0 });
    expect(
      await client.expositions
        .upsert("S", [{ label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" }])
        .catch((e: unknown) => e),
    ).toMatchObject({ issues: [{ path: "items" }] });
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old-token",
      "Bearer new-token",
    ]);
    expect(requested()).toBe(2);
  });

  it("that gives the same token again lets the 401 stand", async () => {
    const { token, requested } = inOrder("old-token");
    const { client, sent } = stubClient(takes("new-token"), { token });
    await expect(client.stores.get("S")).rejects.toMatchObject({ code: "unauthorized", attempts: 1 });
    expect([sent.length, requested()]).toEqual([1, 2]);
  });

  it("that gives another wrong token lets the second 401 stand", async () => {
    const { token, requested } = inOrder("a-token", "b-token", "c-token");
    const { client, sent } = stubClient(takes("c-token"), { token });
    await expect(client.stores.get("S")).rejects.toMatchObject({ code: "unauthorized", attempts: 2 });
    expect([sent.length, requested()]).toEqual([2, 2]);
  });

  it("leaves the retries what they are", async () => {
    const { token } = inOrder("old-token", "new-token");
    const { client, sent } = stubClient(
      (_, index) => (index === 0 ? unauthorized() : json({}, { status: index < 3 ? 500 : 200 })),
      { token, retry: { limit: 2, maxDelay: 1 } },
    );
    await client.fillRates.across({ from: new Date(0), to: new Date(1) });
    expect(sent).toHaveLength(4);
  });

  it("may be asynchronous and is asked for each call", async () => {
    let requested = 0;
    const { client, sent } = stubClient(() => json(store), { token: async () => `token-${++requested}` });
    await client.stores.get("S");
    await client.stores.get("S");
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("that throws fails the call with what it threw, also between two attempts", async () => {
    const reason = new TypeError("fetch failed");
    const first = stubClient(undefined, { token: () => Promise.reject(reason) });
    await expect(first.client.stores.get("S")).rejects.toBe(reason);
    let requested = 0;
    const token = (): string => {
      if (requested++ > 0) throw reason;
      return "good-token";
    };
    const later = stubClient(() => json({}, { status: 500 }), { token, retry: { maxDelay: 1 } });
    await expect(later.client.stores.get("S")).rejects.toBe(reason);
    expect([first.sent.length, later.sent.length]).toEqual([0, 1]);
  });

  it("that never returns ends with the deadline, after its retries", async () => {
    let requested = 0;
    const token = (): Promise<string> => {
      requested += 1;
      return new Promise(() => {});
    };
    const { client, sent } = stubClient(undefined, { token, timeout: 20, retry: { limit: 2, maxDelay: 1 } });
    await expect(client.stores.get("S")).rejects.toBeInstanceOf(TimeoutError);
    expect([requested, sent.length]).toEqual([3, 0]);
  });
});

it("a constant token is not retried after a 401", async () => {
  const { client, sent } = stubClient(unauthorized);
  await expect(client.stores.get("S")).rejects.toMatchObject({ code: "unauthorized" });
  expect(sent).toHaveLength(1);
});
