// Kind 17: values that JSON would change silently are refused before anything is sent.
import { describe, expect, it } from "vitest";
import { InvalidRequestError } from "../../../src/index.ts";
import { serve, storeRow } from "../../sync/service.ts";

/** An object whose content is in getters. */
class Getters {
  readonly #name = "n";
  get name(): string {
    return this.#name;
  }
}

/** An object whose content is in fields. */
class Fields {
  name = "n";
}

const lost: [string, unknown][] = [
  ["Set", new Set(["a"])],
  ["Map", new Map([["a", 1]])],
  ["WeakMap", new WeakMap()],
  ["promise", Promise.resolve("a")],
  ["Headers", new Headers({ a: "b" })],
  ["URLSearchParams", new URLSearchParams("a=b")],
  ["FormData", new FormData()],
  ["Blob", new Blob(["a"])],
  ["RegExp", /a/],
  ["Error", new Error("a")],
  ["ArrayBuffer", new ArrayBuffer(2)],
  ["bytes", Uint8Array.of(1)],
  ["generator", [1].values()],
  ["object with getters", new Getters()],
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["integer above 2^53", 2 ** 53],
  ["invalid Date", new Date(Number.NaN)],
  ["function", () => 1],
  ["symbol", Symbol("a")],
  ["bigint", 1n],
];

describe.each(lost)("a %s", (_, value) => {
  it.each<[string, (inner: unknown) => object]>([
    ["a property of a body", (inner) => ({ plateNumber: "A", more: inner })],
    ["a nested element of a body", (inner) => ({ plateNumber: "A", more: { list: ["a", inner] } })],
  ])("as %s is refused with its path", async (__, bodyOf) => {
    const { fleet, sent } = serve(() => [200, { data: {}, meta: {} }]);
    const error = await fleet.vehicles.create(bodyOf(value) as never).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as InvalidRequestError).issues[0]?.path).toMatch(/^more(?:\.list\.1)?$/);
    expect(sent).toEqual([]);
  });
});

// as text a query has any integer
it.each(lost.filter(([name]) => name !== "integer above 2^53"))(
  "a %s as an extra parameter of a query is refused",
  async (_, value) => {
    const { fleet, sent } = serve(() => [200, { data: [], meta: {} }]);
    const call = fleet.vehicles.list({ extra: { filter: value as string } }).toArray();
    await expect(call).rejects.toBeInstanceOf(InvalidRequestError);
    expect(sent).toEqual([]);
  },
);

it.each<[string, object, object]>([
  ["fields of a class", new Fields(), { name: "n" }],
  ["an object without prototype", Object.assign(Object.create(null) as object, { name: "n" }), { name: "n" }],
  ["an empty object", { name: "n", x: {} }, { name: "n", x: {} }],
  ["a Date", { name: "n", x: new Date(0) }, { name: "n", x: "1970-01-01T00:00:00.000Z" }],
  ["an object with toJSON", { name: "n", x: { toJSON: () => [1] } }, { name: "n", x: [1] }],
  ["undefined properties", { name: "n", x: undefined }, { name: "n" }],
])("%s are sent as JSON has them", async (_, body, expected) => {
  const { store, sent } = serve(() => [200, storeRow(1)]);
  await store.stores.upsert("S-001", body);
  expect(sent[0]?.body).toEqual(expected);
});
