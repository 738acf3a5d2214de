import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { compareStores } from "./compared.ts";

type Json = Record<string, unknown>;

/** Compares a service whose stores have a further property, in the list only or also in their details. */
async function compareWith(allow: readonly string[], isListOnly: boolean): Promise<string[]> {
  const ref = createReferenceServer({ store: { stores: 2 } });
  const { differences } = await compareStores(ref, {
    allow,
    fetch: async (input, init) => {
      const response = await ref.fetch(input, init);
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      const isDetail = /^\/v1\/stores\/[^/]+$/.test(pathname);
      if (!response.ok || !(pathname === "/v1/stores" || (isDetail && !isListOnly))) return response;
      const body = (await response.json()) as Json;
      const items = body["items"] as Json[] | undefined;
      const changed = items?.map((row) => ({ ...row, addedLater: 1 }));
      return Response.json(changed === undefined ? { ...body, addedLater: 1 } : { ...body, items: changed });
    },
  });
  return differences.map(({ operation, place }) => `${operation} ${place}`);
}

describe("compare", () => {
  it("reports a property that only lists have, because the twin merges lists and details", async () => {
    expect(await compareWith([], true)).toEqual(["getStore /addedLater"]);
  });

  it.each([true, false])("accepts an allowed property (only in lists: %s)", async (isListOnly) => {
    expect(await compareWith(["addedLater"], isListOnly)).toEqual([]);
  });
});
