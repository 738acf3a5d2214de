import { describe, expect, it } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { modify } from "../../src/sync/index.ts";
import { rejection, serve, storeRow } from "./service.ts";

const cleo = { name: "Cleo", phone: "1" };
/** A lazy query: an object with the method `then`. */
const lazy = (value: unknown) => ({ then: (done: (value: unknown) => unknown) => done(value) });

async function world() {
  const ref = createReferenceServer({ store: { stores: [{ externalId: "S-1", name: "x" }] } });
  const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
  await store.contacts.replace("S-1", [{ name: "Anna", phone: "1" }]);
  const contacts = () => ref.state.store.contacts.get("S-1") ?? [];
  const operations = () => ref.journal.all().map(({ operation }) => operation);
  return { ref, store, contacts, operations };
}

type Contacts = readonly { name: string }[];

describe("modify reads again directly before it writes", () => {
  it.each<[string, (all: Contacts) => unknown]>([
    ["a list", (all) => [...all, cleo]],
    ["a promise of it", async (all) => [...all, cleo]],
    ["a lazy query for it", (all) => lazy([...all, cleo])],
  ])("whether its function returns %s", async (_, change) => {
    const { ref, store, contacts } = await world();
    let reads = 0;
    ref.on("getContacts").change(() => {
      const [first] = contacts();
      if ((reads += 1) === 1 && first !== undefined)
        queueMicrotask(() => void contacts().push({ ...first, contactId: crypto.randomUUID(), name: "Bob" }));
      return undefined;
    });
    const run = modify(store.contacts, "S-1", change as never);
    expect(await rejection(run)).toMatchObject({ name: "WriteError", reason: "conflict" });
    expect(contacts().map(({ name }) => name)).toEqual(["Anna", "Bob"]);
  });

  it("takes what can be awaited, also for a store", async () => {
    const { ref, store, operations } = await world();
    await modify(store.stores, "S-1", (() => lazy({ name: "New name" })) as never);
    expect(ref.state.store.stores.get("S-1")?.name).toBe("New name");
    expect(operations().slice(-3)).toEqual(["getStore", "getStore", "putStore"]);
  });

  it.each([undefined, null, 7, "text", [], () => ({})])(
    "refuses %o as a store, and sends nothing",
    async (result) => {
      const { store, operations } = await world();
      const run = modify(store.stores, "S-1", (() => result) as never);
      expect((await rejection(run)).message).toMatch(/^modify: the function must return an object/);
      expect(operations().at(-1)).toBe("getStore");
    },
  );

  it.each([undefined, null, 7, "text", {}, [null], ["x"]])(
    "refuses %o as a list, and sends nothing",
    async (result) => {
      const { store, operations } = await world();
      await rejection(modify(store.contacts, "S-1", (() => result) as never));
      expect(operations().filter((operation) => operation === "putContacts")).toHaveLength(1);
    },
  );
});

it("modify names each value that the service did not keep", async () => {
  const { store } = serve(() => [200, storeRow(1)]);
  const error = await rejection(modify(store.stores, "S-001", () => ({ name: "New", location: "Poznań" })));
  expect(error).toMatchObject({
    name: "WriteError",
    reason: "differs",
    issues: [{ path: "name" }, { path: "location" }],
  });
});
