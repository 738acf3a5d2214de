import { expect } from "vitest";
import type { ProtocolListQuery } from "../../src/client/store/index.ts";
import type { Check } from "./gap.ts";
import { inResponse } from "./store-steps.ts";
import { range, type World } from "./world.ts";

/** The query of all protocols, in more than one page. */
export const all = { ...range, limit: 2 };

/** Checks that a walk delivers every protocol of a store once, however the server pages. */
export async function everyProtocol(w: World, query: Partial<ProtocolListQuery> = {}): Promise<void> {
  const items = await w.store.protocols.list("S-1", { ...all, ...query }).toArray();
  const made = (w.ref.state.store.protocols.get("S-1") ?? []).map((one) => inResponse(w, one.createdAt));
  expect(items.map(({ createdAt }) => String(createdAt)).toSorted()).toEqual(made.toSorted());
}

/** Walks by cursor and by windows, with and without a protocol on each boundary of a window. */
export const eitherWay: Check = async (w) => {
  await everyProtocol(w);
  const store = w.storeWith({ strategies: { "protocols.next-page": "window" } });
  for (const limit of [1, 2, 3]) await everyProtocol({ ...w, store }, { limit });
};
