// Kinds 19 and 20, and written lists: what a response may be.
import { describe, expect, it } from "vitest";
import { type ContactInput, StoreClient, UnexpectedResponseError, WriteError } from "../../../src/index.ts";
import { contactRow, serve } from "../../sync/service.ts";

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

it.each<[string, object, Record<string, string>]>([
  [
    "application/problem+json",
    { title: "Unavailable" },
    { "content-type": "application/problem+json; charset=utf-8" },
  ],
  [
    "errorMessage and errorType of Lambda",
    { errorMessage: "Task timed out", errorType: "Sandbox.Timedout" },
    {},
  ],
  ["nothing but an error", { error: { code: "unavailable" } }, {}],
  ["success: false", { success: false, message: "unavailable" }, {}],
  ["errors: true", { errors: true }, {}],
])("an open object with status 200 that is %s is an error", async (_, body, headers) => {
  const { store } = serve(() => [200, body, headers]);
  await expect(store.fillRates.forStore("S-1", range)).rejects.toBeInstanceOf(UnexpectedResponseError);
});

it.each([
  [undefined, "no-store"],
  ["default", undefined],
  ["force-cache", "force-cache"],
] as const)("with cache: %s fetch gets %s, so that Next.js may cache a read", async (cache, expected) => {
  const given: unknown[] = [];
  const fetch = async (_: string, init: { cache?: string }) => {
    given.push(init.cache);
    return Response.json({ items: [], nextCursor: null });
  };
  const store = new StoreClient({ baseUrl: "https://stores.example", token: "token-1", fetch, cache });
  await store.stores.list();
  expect(given).toEqual([expected]);
});

const sent: ContactInput[] = ["A", "B", "C"].map((name) => ({ name, phone: "+48 600 100 200" }));

/** Replaces contacts at a service that shows them in another way. */
async function replace(show: (rows: Record<string, unknown>[]) => object[], contacts = sent) {
  const rows = contacts.map((contact, n) => contactRow(n, contact));
  const { store } = serve(() => [200, { externalId: "S-1", items: show(rows) }]);
  return store.contacts.replace("S-1", contacts).catch((error: unknown) => error);
}

describe("contacts.replace", () => {
  it.each<[string, (rows: Record<string, unknown>[]) => object[], string]>([
    ["none of them", () => [], "0: is not in the response as it was sent"],
    ["one twice", (rows) => [...rows, ...rows.slice(0, 1)], "items: has 4 elements instead of 3"],
    ["two of them twice", ([a, b, c]) => [c, a, b, c] as object[], "items: has 4 elements instead of 3"],
    [
      "one instead of another",
      ([a, , c]) => [a, c, c] as object[],
      "1: is not in the response as it was sent",
    ],
    ["another phone", (rows) => rows.map((row) => ({ ...row, phone: "+48 600 100 201" })), "0: is not"],
    ["another type", (rows) => rows.map((row) => ({ ...row, contactType: "regional_manager" })), "0: is not"],
    ["hasWhatsapp", (rows) => rows.map((row) => ({ ...row, hasWhatsapp: true })), "0: is not"],
  ])("rejects if the response shows %s", async (_, show, words) => {
    const error = await replace(show);
    expect(error).toBeInstanceOf(WriteError);
    expect(error).toMatchObject({ reason: "differs", message: expect.stringContaining(words) as string });
  });

  it.each<[string, (rows: Record<string, unknown>[]) => object[], ContactInput[]?]>([
    ["in another order", (rows) => rows.toReversed()],
    ["with more properties", (rows) => rows.map((row) => ({ ...row, updatedAt: "x" }))],
    ["without blanks in phones", (rows) => rows.map((row) => ({ ...row, phone: "+48600100200" }))],
    ["without properties that are null", (rows) => rows.map(({ email: _, ...row }) => row)],
    [
      "with an e-mail address in lower case",
      (rows) => rows.map((row) => ({ ...row, email: "anna@example.com" })),
      [{ name: "Anna", phone: "1", email: "Anna@Example.com" }],
    ],
    [
      "with new IDs",
      (rows) => rows.map((row) => ({ ...row, contactId: "new", createdAt: "new" })),
      [contactRow(1, { name: "Anna", phone: "1" }) as object as ContactInput],
    ],
    ["that are none", (rows) => rows, []],
  ])("resolves with contacts %s", async (_, show, contacts) => {
    const rows = (contacts ?? sent).map((contact, n) => contactRow(n, contact));
    expect(await replace(show, contacts)).toMatchObject({ items: show(rows) });
  });

  it("rejects with the same error in withResponse", async () => {
    const { store } = serve(() => [200, { externalId: "S-1", items: [] }]);
    await expect(store.contacts.replace("S-1", sent).withResponse()).rejects.toBeInstanceOf(WriteError);
  });
});

describe("the other lists of a store", () => {
  const expectation = {
    productCategory: null,
    displayType: "FRIDGE_DRINKS",
    weekday: 1,
    protocolTime: "08:00",
    expectedFillRatio: 80,
  } as const;
  const exposition = {
    label: "A",
    productCategories: ["DRINKS", "BREADS"],
    expositionType: "FRIDGE_DRINKS",
  } as const;
  const respond = (items: object[]) => serve(() => [200, { externalId: "S-1", items }]).store;
  const stored = { ...exposition, expositionId: "1", friendlyTitle: "kept", status: "active" };

  it.each([
    [{ ...expectation, expectationId: "1", updatedAt: "x" }, true],
    [{ ...expectation, productCategory: undefined, expectationId: "1", updatedAt: "x" }, true],
    [{ ...expectation, expectedFillRatio: 8 }, false],
    [expectation, false, { ...expectation, weekday: 2 }],
  ])("expectations.replace is compared with %j", async (item, isKept, ...others: object[]) => {
    const result = await respond([item, ...others])
      .expectations.replace("S-1", [expectation])
      .catch((error: unknown) => error);
    expect(result instanceof WriteError).toBe(!isKept);
  });

  it.each<[string, object, object[], boolean]>([
    ["among others", {}, [{ ...stored, label: "B" }, stored], true],
    ["with another ID", { expositionId: "8e1c2a64-0f7d-4b93-a5c8-000000000001" }, [stored], true],
    ["with categories in another order", {}, [{ ...stored, productCategories: ["BREADS", "DRINKS"] }], true],
    ["with another title than the given one", { friendlyTitle: "x" }, [stored], false],
    ["with another status", {}, [{ ...stored, status: "disabled" }], false],
    ["missing", {}, [], false],
    ["missing, and was disabled", { status: "disabled" }, [], true],
  ])("expositions.upsert finds an element that is %s", async (_, more, items, isKept) => {
    const element = { ...exposition, productCategories: [...exposition.productCategories], ...more };
    const result = await respond(items)
      .expositions.upsert("S-1", [element])
      .catch((error: unknown) => error);
    expect(result instanceof WriteError, String(result)).toBe(!isKept);
  });
});
