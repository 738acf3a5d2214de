// Tests of code that uses the clients, with vitest.
//
//   npm install shelfleet && npm install --save-dev msw vitest
//   npx vitest run consumer.test.ts
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { StoreApiError, StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { setupReference } from "shelfleet/mock/msw";

/** The code under test: sets the phone number of a store, and creates the store if it is missing. */
async function setPhone(store: StoreClient, externalId: string, phone: string): Promise<"found" | "made"> {
  const contacts = [{ name: "Front desk", phone }];
  try {
    await store.contacts.replace(externalId, contacts);
    return "found";
  } catch (error) {
    if (!(error instanceof StoreApiError) || error.code !== "not_found") throw error;
  }
  await store.stores.upsert(externalId, { name: externalId });
  await store.contacts.replace(externalId, contacts);
  return "made";
}

describe("setPhone, with the fetch of the reference server,", () => {
  const ref = createReferenceServer({ store: { stores: 3 } });
  const store = new StoreClient(ref.storeOptions);
  afterEach(() => ref.reset());

  it("replaces the contacts of a store", async () => {
    expect(await setPhone(store, "S-1", "+48 600 100 200")).toBe("found");
    expect(ref.state.store.contacts.get("S-1")).toMatchObject([{ phone: "+48 600 100 200" }]);
  });

  it("creates a missing store", async () => {
    expect(await setPhone(store, "S-9", "+48 600 100 200")).toBe("made");
    expect(ref.journal.of("putContacts").map(({ status }) => status)).toEqual([404, 200]);
  });

  it("succeeds although the server fails once", async () => {
    ref.on("putContacts").once({ status: 500 });
    expect(await setPhone(store, "S-1", "+48 600 100 200")).toBe("found");
  });

  it("sends no request that violates the contract", async () => {
    await setPhone(store, "S-9", "+48 600 100 200");
    expect(ref.journal.violations()).toEqual([]);
  });
});

describe("code that creates its own client, with msw,", () => {
  // from README.md
  const mock = setupReference({
    storeUrl: "https://stores.example.com",
    store: { token: "secret", stores: 3 },
  });
  beforeAll(mock.listen);
  afterEach(mock.reset);
  afterAll(mock.close);

  test("your code, which creates its own client, survives a failure", async () => {
    mock.ref.on("listStores").once({ status: 503 });
    const store = new StoreClient({ baseUrl: "https://stores.example.com", token: "secret" });
    expect(await store.stores.list().toArray()).toHaveLength(3);
  });
  // end
});

describe("concurrent tests", () => {
  it.concurrent.each(["+48 600 000 001", "+48 600 000 002"])(
    "have a server each: the phone number %s",
    async (phone) => {
      const ref = createReferenceServer({ store: { stores: 1 } });
      await setPhone(new StoreClient(ref.storeOptions), "S-1", phone);
      expect(ref.state.store.contacts.get("S-1")).toMatchObject([{ phone }]);
    },
  );
});
