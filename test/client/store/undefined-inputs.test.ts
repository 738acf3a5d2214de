import { describe, expect, it } from "vitest";
import { planStores, StoreClient } from "../../../src/client/store/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";

/** Properties that a program has read, and that were missing. */
const name: string | undefined = undefined;
const email: string | null | undefined = undefined;

describe("an undefined property of an input", () => {
  const ref = createReferenceServer({
    store: {
      stores: [
        { externalId: "S-1", name: "Kiosk", location: name, contacts: [{ name: "Anna", phone: "1", email }] },
      ],
    },
  });
  const store = new StoreClient(ref.storeOptions);

  it("is a missing property of a seed", () => {
    expect(ref.state.store.contacts.get("S-1")).toMatchObject([{ email: null, contactType: "store" }]);
    expect(typeof ref.state.store.stores.get("S-1")?.location).toBe("string");
  });

  it("is not sent", async () => {
    await store.stores.upsert("S-1", { location: "Hall 2", name });
    await store.contacts.replace("S-1", [{ name: "Bo", phone: "2", email, hasWhatsapp: undefined }]);
    await store.expositions.upsert("S-1", [
      { label: "A", expositionType: "FRIDGE_DRINKS", friendlyTitle: email, productCategories: [] },
    ]);
    expect(ref.journal.all().map(({ body }) => body)).toEqual([
      { location: "Hall 2" },
      { contacts: [{ name: "Bo", phone: "2" }] },
      { expositions: [{ label: "A", expositionType: "FRIDGE_DRINKS", productCategories: [] }] },
    ]);
  });

  it("is not a difference of a plan", async () => {
    const plan = await planStores([{ externalId: "S-1", name, contacts: undefined }], store.stores.list(), {
      store,
    });
    expect(plan).toMatchObject({ create: [], update: [], unchanged: [{}] });
  });
});
