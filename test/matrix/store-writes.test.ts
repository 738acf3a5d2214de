import { expect } from "vitest";
import { type ContactList, InvalidRequestError } from "../../src/client/store/index.ts";
import { stance } from "./gap.ts";
import { failureOf, refusesProperties, storeRefuses } from "./outcomes.ts";
import { contact, expectation, other, wholeStore } from "./store-steps.ts";
import type { World } from "./world.ts";

stance("stores.create-requirements", {
  "none-required": async ({ store }) => {
    expect(await store.stores.upsert("new", {})).toHaveProperty("externalId", "new");
  },
  "non-null-fields": async ({ store }) => {
    const flags = ["protocolScheduleId", "protocolCronEnabled", "onboardingComplete", "loginCode"];
    await refusesProperties(store.stores.upsert("new", { name: "New" }), flags);
    expect(await store.stores.upsert("new", wholeStore)).toMatchObject(wholeStore);
  },
  "name-only": async ({ store }) => {
    await refusesProperties(store.stores.upsert("new", { loginCode: "1" }), ["name"]);
    expect(await store.stores.upsert("new", { name: "New" })).toHaveProperty("name", "New");
  },
});

/** Only what was given is on the wire. */
async function sendsOnlyTheName({ store, ref }: World): Promise<unknown> {
  const response = await store.stores.upsert("S-1", { name: "Other" }).catch((error: unknown) => error);
  expect(ref.journal.of("putStore").map(({ body }) => body)).toEqual([{ name: "Other" }]);
  return response;
}

stance("stores.omitted-fields", {
  keep: async (w) => {
    const before = await w.store.stores.get("S-1");
    expect(await sendsOnlyTheName(w)).toEqual({ ...before, name: "Other" });
  },
  reset: async (w) => {
    expect(await sendsOnlyTheName(w)).toMatchObject({ name: "Other", location: null, openingTimes: [] });
  },
  reject: async (w) => {
    expect(await sendsOnlyTheName(w)).toMatchObject({ name: "StoreApiError", status: 400 });
    expect(await w.store.stores.upsert("S-1", wholeStore)).toMatchObject(wholeStore);
  },
});

stance("stores.null-opening-times", {
  clears: async ({ store }) => {
    expect(await store.stores.upsert("S-1", { openingTimes: null })).toHaveProperty("openingTimes", []);
  },
  keeps: async ({ store }) => {
    const { openingTimes } = await store.stores.get("S-1");
    expect(openingTimes).not.toEqual([]);
    expect(await store.stores.upsert("S-1", { openingTimes: null })).toMatchObject({ openingTimes });
    expect(await store.stores.upsert("S-1", { openingTimes: [] })).toHaveProperty("openingTimes", []);
  },
});

stance("stores.body-external-id", {
  "path-wins": async ({ store }) => {
    expect(await store.stores.upsert("S-1", { externalId: "X" })).toHaveProperty("externalId", "S-1");
  },
  renames: async ({ store }) => {
    expect(await store.stores.upsert("S-1", { externalId: "X" })).toHaveProperty("externalId", "X");
    await storeRefuses(store.stores.get("S-1"), 404);
  },
  rejected: async ({ store, ref }) => {
    await refusesProperties(store.stores.upsert("S-1", { externalId: "X" }), ["externalId"]);
    expect(await store.stores.upsert("S-1", {})).toHaveProperty("externalId", "S-1");
    expect(ref.journal.of("putStore").map(({ body }) => body)).toEqual([{ externalId: "X" }, {}]);
  },
});

stance("stores.null-store-type", {
  accepted: async ({ store }) => {
    expect(await store.stores.upsert("S-1", { storeType: null })).toHaveProperty("storeType", null);
  },
  rejected: async ({ store, ref }) => {
    await refusesProperties(store.stores.upsert("S-1", { storeType: null }), ["storeType"]);
    expect(await store.stores.upsert("S-1", {})).toHaveProperty("externalId", "S-1");
    expect(ref.journal.of("putStore").map(({ body }) => body)).toEqual([{ storeType: null }, {}]);
  },
});

const equalProtocols = [contact, other, { ...contact, hasWhatsapp: true }];

stance("lists.duplicates", {
  accepted: async ({ store }) => {
    expect((await store.contacts.replace("S-1", equalProtocols)).items).toHaveLength(3);
  },
  "last-wins": async ({ store }) => {
    const { items } = await store.contacts.replace("S-1", equalProtocols);
    expect(items.map(({ name, hasWhatsapp }) => [name, hasWhatsapp])).toEqual([
      ["Bo", false],
      ["Ada", true],
    ]);
  },
  rejected: async ({ store, ref }) => {
    await refusesProperties(store.contacts.replace("S-1", equalProtocols), ["contacts.2"]);
    expect(ref.journal.of("putContacts")[0]?.body).toEqual({ contacts: equalProtocols });
  },
});

/** The IDs of a list before and after it is replaced by what it holds. */
async function replacedIds({ store }: World): Promise<[string[], string[]]> {
  const ids = async (expectations: (typeof expectation)[]): Promise<string[]> =>
    (await store.expectations.replace("S-1", expectations)).items.map((item) => item.expectationId);
  return [await ids([expectation]), await ids([expectation])];
}

stance("lists.ids-after-replace", {
  new: async (w) => {
    const [before, after] = await replacedIds(w);
    expect(after).not.toEqual(before);
  },
  kept: async (w) => {
    const [before, after] = await replacedIds(w);
    expect(after).toEqual(before);
  },
});

stance("contacts.email-format", {
  lenient: async (w) => {
    const { items } = await mails(w, "a..b@example.com");
    expect(items[0]?.email).toBe("a..b@example.com");
  },
  rfc5321: async (w) => {
    await refusesProperties(mails(w, "a..b@example.com"), ["contacts.0.email"]);
    expect((await mails(w, "a.b@example.com")).items[0]?.email).toBe("a.b@example.com");
  },
});

/** An address that no reading accepts is not sent. */
async function mails({ store, ref }: World, email: string): Promise<ContactList> {
  const sent = ref.journal.all().length;
  for (const wrong of ["a b@example.com", "a@@example.com", "@example.com", "a@", "a"]) {
    const call = store.contacts.replace("S-1", [{ ...contact, email: wrong }]);
    expect(await failureOf(call)).toBeInstanceOf(InvalidRequestError);
  }
  expect(ref.journal.all()).toHaveLength(sent);
  return store.contacts.replace("S-1", [{ ...contact, email }]);
}

const unlisted = { label: "B", expositionType: "NEW_COUNTER", productCategories: ["SOUPS"] };

stance("requests.unlisted-values", {
  rejected: async ({ store, ref }) => {
    await refusesProperties(store.stores.upsert("S-1", { storeType: "Metro" }), ["storeType"]);
    await storeRefuses(store.expositions.upsert("S-1", [unlisted]), 400, { code: "validation_failed" });
    expect(ref.journal.of("putStore").map(({ body }) => body)).toEqual([{ storeType: "Metro" }]);
  },
  accepted: async ({ storeWith, ref }) => {
    const store = storeWith({ validate: "full" });
    expect(await store.stores.upsert("S-1", { storeType: "Metro" })).toHaveProperty("storeType", "Metro");
    const read = await store.stores.get("S-1");
    expect(await store.stores.upsert("S-1", { storeType: read.storeType })).toEqual(read);
    const { items } = await store.expositions.upsert("S-1", [unlisted]);
    expect(items.at(-1)).toMatchObject(unlisted);
    expect(ref.journal.of("putExpositions")[0]?.body).toEqual({ expositions: [unlisted] });
  },
});
