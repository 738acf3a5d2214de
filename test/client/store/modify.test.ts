import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  InvalidRequestError,
  StoreApiError,
  StoreClient,
  type StoreUpsert,
  toContactInput,
  toExpectationInput,
  toExpositionInput,
  toUpsert,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store as stored, stubClient, uuid } from "./stub-client.ts";

function setUp(readings = {}) {
  const ref = createReferenceServer({ store: { stores: 3 }, readings });
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
  const sent = (): string[] => ref.journal.all().map(({ operation }) => operation ?? "");
  return { ref, store, sent };
}

async function refusal(call: Promise<unknown>): Promise<InvalidRequestError> {
  const error = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidRequestError);
  return error as InvalidRequestError;
}

describe("stores.modify", () => {
  it.each(["keep", "reset", "reject"] as const)(
    "changes one property and keeps the others under stores.omitted-fields: %s",
    async (reading) => {
      const { store, sent } = setUp({ "stores.omitted-fields": reading });
      const before = await store.stores.get("S-1");
      const after = await store.stores.modify("S-1", () => ({ name: "New" }));
      expect(after).toEqual({ ...before, name: "New" });
      expect(sent()).toEqual(["getStore", "getStore", "putStore"]);
    },
  );

  it("sends nothing if nothing changed", async () => {
    const { store, sent } = setUp();
    const before = await store.stores.get("S-1");
    expect(await store.stores.modify("S-1", (one) => one as StoreUpsert)).toEqual(before);
    expect(await store.stores.modify("S-1", ({ name }) => ({ name, location: undefined as never }))).toEqual(
      before,
    );
    expect(sent()).toEqual(["getStore", "getStore", "getStore"]);
  });

  it("takes the whole store, one changed in place, and a promise", async () => {
    const { store } = setUp();
    const whole = await store.stores.modify("S-1", (one) => ({ ...toUpsert(one), name: "A" }));
    expect(whole.name).toBe("A");
    const inPlace = await store.stores.modify("S-1", (one) => {
      one.openingTimes.push({ weekday: 6, from: "10:00", to: "12:00" });
      return one as StoreUpsert;
    });
    expect(inPlace.openingTimes.at(-1)).toEqual({ weekday: 6, from: "10:00", to: "12:00" });
    expect((await store.stores.modify("S-1", async () => ({ location: null }))).location).toBeNull();
  });

  it("sends another external ID, and not the one of the path", async () => {
    const { client, sent } = stubClient();
    await client.stores.modify("S-1", () => ({ name: "B", externalId: "S-1" }));
    await client.stores.modify("S-1", () => ({ externalId: "S-2" }));
    const bodies = sent.filter(({ method }) => method === "PUT").map(({ body }) => body as StoreUpsert);
    expect(bodies.map(({ externalId }) => externalId)).toEqual([undefined, "S-2"]);
  });

  it("rejects properties that an upsert does not have", async () => {
    const { store, sent } = setUp();
    const typo = { nmae: "x" } as StoreUpsert;
    expect((await refusal(store.stores.modify("S-1", () => typo))).issues).toEqual([
      { path: "nmae", message: "is not a property of an upsert" },
    ]);
    const readOnly = { storeId: uuid } as StoreUpsert;
    expect((await refusal(store.stores.modify("S-1", () => readOnly))).message).toContain("storeId");
    expect(sent()).toEqual(["getStore", "getStore"]);
  });

  it("rejects what is not a function, and what returns nothing", async () => {
    const { store, sent } = setUp();
    const text = "name" as unknown as () => StoreUpsert;
    expect((await refusal(store.stores.modify("S-1", text))).message).toBe(
      "PUT /v1/stores/{externalId}: not sent: change: must be a function",
    );
    expect(sent()).toEqual([]);
    const nothing = (() => undefined) as unknown as () => StoreUpsert;
    expect((await refusal(store.stores.modify("S-1", nothing))).message).toContain("must return");
    expect(sent()).toEqual(["getStore"]);
  });

  it("rejects with the error of the read, of the change, and of the write", async () => {
    const { ref, store } = setUp();
    await expect(store.stores.modify("none", () => ({}))).rejects.toMatchObject({ code: "not_found" });
    const broken = (): never => {
      throw new RangeError("broken");
    };
    await expect(store.stores.modify("S-1", broken)).rejects.toThrow("broken");
    ref.on("putStore").once({ status: 400 });
    await expect(store.stores.modify("S-1", () => ({ name: "C" }))).rejects.toBeInstanceOf(StoreApiError);
  });

  it("passes its options to both requests", async () => {
    const { client, sent } = stubClient();
    await client.stores.modify("S-1", () => ({ name: "D" }), { headers: { "x-job": "1" } });
    expect(sent.map(({ headers }) => headers["x-job"])).toEqual(["1", "1"]);
  });
});

describe("modify of a list", () => {
  it("adds a contact and keeps those that were there", async () => {
    const { store, ref } = setUp();
    const before = await store.contacts.get("S-1");
    const { items } = await store.contacts.modify("S-1", (all) => [...all, { name: "New", phone: "+48 1" }]);
    expect(items.map(({ name }) => name)).toEqual([...before.items.map(({ name }) => name), "New"]);
    expect(ref.journal.violations()).toEqual([]);
  });

  it("changes expectations and expositions", async () => {
    const { store, ref } = setUp();
    const expectations = await store.expectations.modify("S-1", (all) =>
      all.map((one) => ({ ...one, expectedFillRatio: 7 })),
    );
    expect(new Set(expectations.items.map((one) => one.expectedFillRatio))).toEqual(new Set([7]));
    const before = await store.expositions.get("S-1");
    const expositions = await store.expositions.modify("S-1", (all) =>
      all.map((one) => ({ ...one, status: "disabled" })),
    );
    expect(expositions.items.map((one) => one.expositionId)).toEqual(
      before.items.map((one) => one.expositionId),
    );
    expect(new Set(expositions.items.map((one) => one.status))).toEqual(new Set(["disabled"]));
    expect(ref.journal.violations()).toEqual([]);
  });

  it.each(["contacts", "expectations", "expositions"] as const)(
    "sends nothing if nothing changed: %s",
    async (resource) => {
      const { store, sent } = setUp({ "answers.nullable-members": "absent" });
      const before = await store[resource].get("S-1");
      expect(before.items.length).toBeGreaterThan(0);
      // the same callback for three types of elements
      const modify = store[resource].modify.bind(store[resource]) as typeof store.contacts.modify;
      expect(await modify("S-1", (all) => all)).toEqual(before);
      expect(sent().every((operation) => operation.startsWith("get"))).toBe(true);
    },
  );

  it("compares a property that is left out as its default", async () => {
    const contact = { contactId: uuid, contactType: "store", name: "A", phone: "1", hasWhatsapp: false };
    const { client, sent } = stubClient(() => json({ externalId: "S-1", items: [contact] }));
    await client.contacts.modify("S-1", () => [{ name: "A", phone: "1" }]);
    expect(sent.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("compares the title and the status of an exposition that are left out as null and active", async () => {
    const exposition = {
      expositionId: uuid,
      label: "A",
      productCategories: [],
      expositionType: "FRIDGE_DRINKS",
    } as const;
    const read = { ...exposition, friendlyTitle: null, status: "active" };
    const { client, sent } = stubClient(() => json({ externalId: "S-1", storeId: uuid, items: [read] }));
    await client.expositions.modify("S-1", () => [exposition] as never);
    expect(sent.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("completes an expectation that was read, and not one of the caller", async () => {
    const expectation = {
      displayType: "FRIDGE_DRINKS",
      weekday: 1,
      protocolTime: "10:00",
      expectedFillRatio: 5,
    } as const;
    const read = { ...expectation, expectationId: uuid };
    const { client, sent } = stubClient(() => json({ externalId: "S-1", items: [read] }));
    await client.expectations.modify("S-1", (all) => all.map((one) => ({ ...one, weekday: 2 })));
    expect(sent.at(-1)?.body).toEqual({
      expectations: [{ ...expectation, weekday: 2, productCategory: null }],
    });
    const { issues } = await refusal(
      client.expectations.modify("S-1", (all) => [...all, { ...expectation, weekday: 3 } as never]),
    );
    expect(issues).toEqual([{ path: "expectations.1.productCategory", message: "is required" }]);
  });

  it("ignores undefined properties", async () => {
    const contact = { name: "A", phone: "1", note: undefined };
    const { client, sent } = stubClient(() => json({ externalId: "S-1", items: [] }));
    await client.contacts.modify("S-1", () => [contact]);
    expect(sent.at(-1)?.body).toEqual({ contacts: [{ name: "A", phone: "1" }] });
  });

  it.each(["contacts", "expectations", "expositions"] as const)(
    "names its request in the error for a change that is not a function: %s",
    async (resource) => {
      const { client, sent } = stubClient(() => json({}));
      const modify = client[resource].modify.bind(client[resource]) as typeof client.contacts.modify;
      const { message } = await refusal(modify("S-1", [] as never));
      expect(message).toBe(`PUT /v1/stores/{externalId}/${resource}: not sent: change: must be a function`);
      expect(sent).toEqual([]);
    },
  );

  it("notices a change in place", async () => {
    const { store } = setUp();
    const { items } = await store.contacts.modify("S-1", (all) => {
      for (const one of all) one.name = "Renamed";
      return all;
    });
    expect(new Set(items.map(({ name }) => name))).toEqual(new Set(["Renamed"]));
  });

  it.each([[null], [5], ["a"], [[1]]])(
    "rejects a list that contains %j, and writes nothing",
    async (element) => {
      const { client, sent } = stubClient(() => json({ items: [{ name: "Anna" }, element] }));
      const { issues } = await refusal(client.contacts.modify("S-1", (all) => [...all]));
      expect(issues).toEqual([
        { path: "items.1", message: "was returned by the service and is not an object" },
      ]);
      expect(sent.map(({ method }) => method)).toEqual(["GET"]);
    },
  );

  it("rejects to leave out an exposition, which an upsert cannot delete", async () => {
    const { store, sent } = setUp();
    const { message } = await refusal(store.expositions.modify("S-1", (all) => all.slice(1)));
    expect(message).toContain(
      'an upsert cannot delete an exposition (to disable it, set status: "disabled")',
    );
    expect(sent()).toEqual(["getExpositions"]);
  });

  it.each([
    { returned: undefined, says: "change: must return an array" },
    { returned: [null], says: "0: must be an object" },
    { returned: [{ name: "A", phnoe: "1" }], says: "0.phnoe: is not a property of this input" },
  ])("rejects $says", async ({ returned, says }) => {
    const { store, sent } = setUp();
    const change = (() => returned) as unknown as () => [];
    expect((await refusal(store.contacts.modify("S-1", change))).message).toContain(says);
    expect(sent()).toEqual(["getContacts"]);
  });

  it("passes on properties that the service added", async () => {
    const contact = {
      contactId: uuid,
      contactType: "store",
      name: "A",
      phone: "1",
      hasWhatsapp: false,
      new: 1,
    };
    const { client, sent } = stubClient(() => json({ externalId: "S-1", items: [contact] }));
    await client.contacts.modify("S-1", (all) => all.map((one) => ({ ...one, name: "B" })));
    expect(sent.at(-1)?.body).toEqual({
      contacts: [{ contactType: "store", name: "B", phone: "1", hasWhatsapp: false }],
    });
  });
});

describe("inputs made of responses", () => {
  it("have what a request may contain, and nothing else", async () => {
    const { store } = setUp();
    const { storeId: _, externalId: __, ...upsert } = await store.stores.get("S-1");
    expect(toUpsert(await store.stores.get("S-1"))).toEqual(upsert);
    const contacts = (await store.contacts.get("S-1")).items.map(toContactInput);
    expect((await store.contacts.replace("S-2", contacts)).items.map(toContactInput)).toEqual(contacts);
    const expectations = (await store.expectations.get("S-1")).items.map(toExpectationInput);
    expect((await store.expectations.replace("S-2", expectations)).items.map(toExpectationInput)).toEqual(
      expectations,
    );
    const { items } = await store.expositions.get("S-1");
    expect((await store.expositions.upsert("S-1", items.map(toExpositionInput))).items).toEqual(items);
  });

  it("have the null category that a response left out", () => {
    const expectation = {
      expectationId: uuid,
      displayType: "FRIDGE_DRINKS",
      weekday: 1,
      protocolTime: "08:00",
    };
    const whole = { ...expectation, expectedFillRatio: 50, updatedAt: "2026-01-01T00:00:00Z" };
    expect(toExpectationInput(whole)).toEqual({
      productCategory: null,
      displayType: "FRIDGE_DRINKS",
      weekday: 1,
      protocolTime: "08:00",
      expectedFillRatio: 50,
    });
  });

  it("leave the store of a response as it was", () => {
    const before = structuredClone(stored);
    toUpsert(stored);
    expect(stored).toEqual(before);
  });
});
