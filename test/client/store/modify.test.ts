import { describe, expect, it, vi } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  type ContactInput,
  type Fetch,
  InvalidRequestError,
  StoreApiError,
  StoreClient,
  type StoreUpsert,
  toContactInput,
  toExpectationInput,
  toExpositionInput,
  toUpsert,
  WriteError,
} from "../../../src/client/store/index.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { json } from "../core/stub-fetch.ts";
import { store as stored, stubClient, uuid } from "./stub-client.ts";
import type { WriteErrorReason } from "../../../src/client/core/errors/response-errors.ts";

function setUp(readings = {}) {
  const ref = createReferenceServer({ store: { stores: 3 }, readings });
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
  const sent = (): string[] => ref.journal.all().map(({ operation }) => operation ?? "");
  return { ref, store, sent };
}

/** A service with one entity: a PUT changes its properties, or its items. */
function statefulClient(
  state: object,
  keep: (sent: JsonObject, before: JsonObject) => object = (sent) => sent,
) {
  let entity: JsonObject = { ...state };
  return stubClient(({ method, body }) => {
    if (method === "PUT") {
      const [items] = Object.values(body as object).filter(Array.isArray) as unknown[][];
      const sent = (entity["items"] === undefined ? body : { items }) as JsonObject;
      entity = { ...entity, ...keep(sent, entity) };
    }
    return json(entity);
  });
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

  it("accepts IDs of the response in the other letter case", async () => {
    const upper = (sent: JsonObject, before: JsonObject): object => ({
      ...sent,
      storeId: String(before["storeId"]).toUpperCase(),
    });
    const { client } = statefulClient({ ...stored, storeId: "5c4ed01e-0000-4000-a000-00000000000a" }, upper);
    expect(await client.stores.modify("S-1", () => ({ name: "New" }))).toMatchObject({ name: "New" });
  });

  it("sends nothing if nothing changed", async () => {
    const { store, sent } = setUp();
    const before = await store.stores.get("S-1");
    expect(await store.stores.modify("S-1", (one) => one)).toEqual(before);
    expect(await store.stores.modify("S-1", ({ name }) => ({ name, location: undefined }))).toEqual(before);
    expect(sent()).toEqual(["getStore", "getStore", "getStore"]);
  });

  it("takes the whole store, one changed in place, and a promise", async () => {
    const { store } = setUp();
    const whole = await store.stores.modify("S-1", (one) => ({ ...toUpsert(one), name: "A" }));
    expect(whole.name).toBe("A");
    const inPlace = await store.stores.modify("S-1", (one) => {
      one.openingTimes.push({ weekday: 6, from: "10:00", to: "12:00" });
      return one;
    });
    expect(inPlace.openingTimes.at(-1)).toEqual({ weekday: 6, from: "10:00", to: "12:00" });
    expect((await store.stores.modify("S-1", async () => ({ location: null }))).location).toBeNull();
  });

  it("sends another external ID, and not the one of the path", async () => {
    const { client, sent } = statefulClient(stored);
    await client.stores.modify("S-1", () => ({ name: "B", externalId: "S-1" }));
    await client.stores.modify("S-1", () => ({ externalId: "S-2" }));
    const bodies = sent.filter(({ method }) => method === "PUT").map(({ body }) => body as StoreUpsert);
    expect(bodies.map(({ externalId }) => externalId)).toEqual([undefined, "S-2"]);
  });

  it.each([
    { reading: "renames", outcome: "S-1-new" },
    { reading: "path-wins", outcome: "differs" },
    { reading: "rejected", outcome: "validation_failed" },
  ])("ends with $outcome for another external ID under $reading", async ({ reading, outcome }) => {
    const { store } = setUp({ "stores.body-external-id": reading });
    const result = await store.stores
      .modify("S-1", () => ({ externalId: "S-1-new" }))
      .then(
        ({ externalId }) => externalId,
        (error: unknown) => (error as WriteError).reason ?? (error as StoreApiError).code,
      );
    expect(result).toBe(outcome);
  });

  it("rejects an instance whose properties are hidden", async () => {
    const { store, sent } = setUp();
    const model = new (class {
      get name(): string {
        return "new";
      }
    })();
    expect((await refusal(store.stores.modify("S-1", () => model))).message).toContain("hidden properties");
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
    const { client, sent } = statefulClient(stored);
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
      const { store, sent } = setUp({ "responses.nullable-properties": "absent" });
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
    const { client, sent } = statefulClient({ externalId: "S-1", items: [read] });
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
    const { client, sent } = statefulClient({ externalId: "S-1", items: [] });
    await client.contacts.modify("S-1", () => [contact]);
    expect(sent.at(-1)?.body).toEqual({ contacts: [{ name: "A", phone: "1" }] });
  });

  it("notices a change in place", async () => {
    const { store } = setUp();
    const { items } = await store.contacts.modify("S-1", (all) => {
      for (const one of all) one.name = "Renamed";
      return all;
    });
    expect(new Set(items.map(({ name }) => name))).toEqual(new Set(["Renamed"]));
  });

  it("rejects to leave out an exposition, which an upsert cannot delete", async () => {
    const { store, sent } = setUp();
    const { message } = await refusal(store.expositions.modify("S-1", (all) => all.slice(1)));
    expect(message).toContain(
      'an upsert cannot delete an exposition (to disable it, set status: "disabled")',
    );
    expect(sent()).toEqual(["getExpositions"]);
  });

  it("rejects elements with hidden properties", async () => {
    const { store, sent } = setUp();
    const change = () => [Object.create({ name: "A" }) as ContactInput];
    expect((await refusal(store.contacts.modify("S-1", change))).message).toContain(
      "0: is a Object with hidden properties",
    );
    expect(sent()).toEqual(["getContacts"]);
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

const storedContact = {
  contactId: uuid,
  contactType: "store",
  name: "A",
  phone: "1",
  email: "a@b.c",
  hasWhatsapp: true,
};
const storedExpectation = {
  productCategory: "DRINKS",
  displayType: "FRIDGE_DRINKS",
  weekday: 1,
  protocolTime: "10:00",
};
const storedExposition = {
  expositionId: uuid,
  label: "A",
  friendlyTitle: "T",
  expositionType: "FRIDGE_DRINKS",
};
const listOf = (item: object) => ({ externalId: "S-1", storeId: uuid, items: [item] });

/** One entity for each `modify`, and a change of it. */
const entities = {
  stores: { state: stored, property: "name", to: "New", name: "loginCode" },
  contacts: { state: listOf(storedContact), property: "name", to: "New", name: "hasWhatsapp" },
  expectations: {
    state: listOf({ ...storedExpectation, expectedFillRatio: 5 }),
    property: "weekday",
    to: 2,
    name: "protocolTime",
  },
  expositions: {
    state: listOf({ ...storedExposition, productCategories: [], status: "disabled" }),
    property: "label",
    to: "B",
    name: "status",
  },
} as const;

type Resource = keyof typeof entities;
const resources = Object.keys(entities) as Resource[];

type AnyChange = (entity: JsonObject) => unknown;

/** Calls `modify` with a change of one entity, or of each element of a list. */
function modifyEach(
  client: StoreClient,
  resource: Resource,
  change: AnyChange = (entity) => ({ ...entity, [entities[resource].property]: entities[resource].to }),
  options?: object,
): Promise<unknown> {
  const all = (given: unknown): unknown =>
    Array.isArray(given) ? given.map(change) : change(given as JsonObject);
  // one callback for the entities of all four methods
  const method = client[resource].modify.bind(client[resource]) as (...args: unknown[]) => Promise<unknown>;
  return method("S-1", all, options);
}

async function writeError(call: Promise<unknown>): Promise<WriteError> {
  const error = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WriteError);
  return error as WriteError;
}

/** Replaces the only element of a list, or the entity. */
function withEntity(state: object, change: (entity: JsonObject) => unknown): object {
  return "items" in state
    ? { ...state, items: (state.items as JsonObject[]).map(change) }
    : (change({ ...state }) as object);
}

describe.each(resources)("a modify of %s", (resource) => {
  const { state, property, to, name } = entities[resource];
  const methods = (sent: readonly { method: string }[]): string[] => sent.map(({ method }) => method);

  it.each<[string, object, WriteErrorReason]>([
    ["without a property", withEntity(state, ({ [name]: _, ...rest }) => rest), "malformed"],
    ["with a null property", withEntity(state, (one) => ({ ...one, [name]: null })), "malformed"],
    ["of another store", { ...state, externalId: "S-2" }, "other-entity"],
    ["of a store whose ID has another letter case", { ...state, externalId: "s-1" }, "other-entity"],
    [
      "with an integer that was rounded",
      withEntity(state, (one) => ({ ...one, added: [2 ** 53] })),
      "malformed",
    ],
    ["of a maintenance page", { storeId: uuid, name: "Maintenance", items: [null] }, "malformed"],
  ])("sends nothing after a response %s", async (_, response, reason) => {
    const text = JSON.stringify(response);
    const { client, sent } = stubClient(() => new Response(text));
    expect((await writeError(modifyEach(client, resource))).reason).toBe(reason);
    expect(methods(sent)).toEqual(["GET"]);
  });

  it("sends nothing after a response that is not UTF-8", async () => {
    const response = withEntity(state, (one) => ({ ...one, added: "\u00e9" }));
    const { client, sent } = stubClient(() => new Response(Buffer.from(JSON.stringify(response), "latin1")));
    await expect(modifyEach(client, resource)).rejects.toThrow("200 with a body that is not UTF-8");
    expect(methods(sent)).toEqual(["GET"]);
  });

  it("sends nothing after a response with an error", async () => {
    const { client, sent } = stubClient(() => Response.json({ error: { code: "internal" }, items: [] }));
    await expect(modifyEach(client, resource)).rejects.toThrow("200 with an error in its body");
    expect(methods(sent)).toEqual(["GET"]);
  });

  it("sends back what the contract does not name", async () => {
    const { client, sent } = statefulClient(withEntity(state, (one) => ({ ...one, added: { x: 1 } })));
    await modifyEach(client, resource);
    expect(JSON.stringify(sent.at(-1)?.body)).toContain('"added":{"x":1}');
  });

  it.each<[string, (before: JsonObject) => object]>([
    ["kept its value", (before) => before],
    [
      "has another property",
      (before) => withEntity(before, (one) => ({ ...one, [name]: "secret", [property]: to })),
    ],
  ])("rejects with `differs` if the service %s", async (_, keep) => {
    const { client } = statefulClient(state, (__, before) => keep(before));
    const error = await writeError(modifyEach(client, resource));
    expect(error.reason).toBe("differs");
    expect(error.message).not.toContain("secret");
  });

  it("rejects with `other-entity` if the service wrote another store", async () => {
    const { client } = statefulClient(state, (sent) => ({ ...sent, externalId: "s-1" }));
    const error = await writeError(modifyEach(client, resource));
    expect(error).toMatchObject({
      reason: "other-entity",
      message: expect.stringContaining("letter case") as string,
    });
  });

  it("loses nothing in parallel calls", async () => {
    const { client, sent } = statefulClient(withEntity(state, (one) => ({ ...one, added: 0 })));
    const steps = [1, 2, 3].map((step) => async (one: JsonObject) => {
      await new Promise((resolve) => setTimeout(resolve, 3 - step));
      return {
        ...one,
        [property]: typeof to === "number" ? Number(one[property]) + 1 : `${one[property] as string}+`,
      };
    });
    // every element of a list is changed by a promise, so the callback of a list awaits all of them
    const changeAll = (step: AnyChange) => async (given: unknown) =>
      Array.isArray(given)
        ? Promise.all(given.map((one) => step(one as JsonObject)))
        : step(given as JsonObject);
    const method = client[resource].modify.bind(client[resource]) as (...args: unknown[]) => Promise<unknown>;
    await Promise.all(steps.map((step) => method("S-1", changeAll(step))));
    expect(methods(sent)).toEqual(Array.from({ length: 3 }, () => ["GET", "GET", "PUT"]).flat());
    expect(JSON.stringify(sent.at(-1)?.body)).toContain(typeof to === "number" ? '"weekday":4' : "+++");
  });

  it("waits for a call with an ID that may be the same one to the service", async () => {
    const { client, sent } = statefulClient(withEntity(state, (one) => one));
    const method = client[resource].modify.bind(client[resource]) as (...args: unknown[]) => Promise<unknown>;
    const change = async (given: unknown) => {
      const edit = (one: unknown) => ({ ...(one as JsonObject), [property]: to });
      return Array.isArray(given) ? given.map(edit) : edit(given);
    };
    await Promise.allSettled(["S-1", "s-1 "].map((id) => method(id, change)));
    const isFirst = sent.map(({ path }) => path.includes("/S-1"));
    expect(isFirst.lastIndexOf(true)).toBeLessThan(isFirst.indexOf(false)); // the second call has sent something
  });

  it.each([
    { check: undefined, result: "conflict", requests: ["GET", "PUT", "GET"] },
    { check: false, result: "written", requests: ["GET", "PUT", "PUT"] },
  ])(
    "ends with $result if another program wrote while the change ran under check: $check",
    async ({ check, result, requests }) => {
      const { client, sent } = statefulClient(state);
      const other = withEntity(state, (one) => ({
        ...one,
        [property]: typeof to === "number" ? 6 : "other",
      }));
      const own = (one: JsonObject) => ({ ...one, [property]: to });
      const change = async (given: unknown) => {
        const url = `https://store.example/base${sent[0]?.path ?? ""}`;
        await client.fetch(url, { method: "PUT", body: JSON.stringify(other) });
        return Array.isArray(given) ? given.map((one) => own(one as JsonObject)) : own(given as JsonObject);
      };
      const method = client[resource].modify.bind(client[resource]) as (
        ...args: unknown[]
      ) => Promise<unknown>;
      const outcome = await method("S-1", change, { check }).then(
        () => "written",
        (error: unknown) => (error as WriteError).reason,
      );
      expect(outcome).toBe(result);
      expect(methods(sent)).toEqual(requests);
    },
  );

  it("reads past a caching fetch", async () => {
    const { ref, store, sent } = setUp();
    const cached = new Map<string, Response>();
    const caching: Fetch = async (url, init) => {
      const hit = init.method === "GET" && init.cache !== "no-store" ? cached.get(url) : undefined;
      if (hit !== undefined) return hit.clone();
      const response = await ref.fetch(url, init);
      if (init.method === "GET") cached.set(url, response.clone());
      return response;
    };
    const reader = store.withOptions({ fetch: caching });
    await modifyEach(reader, resource);
    const third = typeof to === "number" ? 5 : "third";
    await modifyEach(store, resource, (one) => ({ ...one, [property]: third }));
    await modifyEach(reader, resource);
    const [get, put] = sent();
    expect(sent()).toEqual([get, put, get, put, get, put]);
  });
});

describe.each(["contacts", "expectations", "expositions"] as const)("a modify of %s", (resource) => {
  const { state } = entities[resource];
  const [element] = state.items;
  const id = { contacts: "contactId", expectations: "expectationId", expositions: "expositionId" }[resource];
  const twice = { ...element, [id]: uuid };

  it.each<[string, object, WriteErrorReason]>([
    ["that has an element twice", { items: [twice, { ...twice, [id]: uuid.toUpperCase() }] }, "malformed"],
    ["that names a next page", { nextCursor: "c" }, "malformed"],
    // the contract allows null for contacts
    ["of another store", { externalId: resource === "contacts" ? "S-2" : null }, "other-entity"],
  ])("sends nothing after a response %s", async (_, change, reason) => {
    const { client, sent } = stubClient(() => json({ ...state, ...change }));
    expect((await writeError(modifyEach(client, resource))).reason).toBe(reason);
    expect(sent.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("rejects with `malformed` if the response to the write is not a whole list", async () => {
    const { client } = statefulClient(state, () => ({ items: [null] }));
    const error = await writeError(modifyEach(client, resource));
    expect(error.reason).toBe("malformed");
    expect(error.message).toContain("was sent");
  });
});

describe("expositions.modify", () => {
  const { state } = entities.expositions;
  const added = { label: "New", productCategories: [], expositionType: "FRIDGE_DRINKS" };
  const complete = { ...added, friendlyTitle: null, status: "active" };
  const ids = [uuid.replace("1", "2"), uuid.replace("1", "3")];

  it("rejects with `differs` if the service created an exposition twice", async () => {
    const created = ids.map((expositionId) => ({ ...complete, expositionId }));
    const { client } = statefulClient(state, () => ({ items: [...state.items, ...created] }));
    const modified = client.expositions.modify("S-1", (all) => [...all, added]);
    expect((await writeError(modified)).issues).toEqual([
      { path: "1", message: "is in the response more often than it was sent" },
    ]);
  });

  it("rejects with `other-entity` if another store has taken the external ID", async () => {
    const { client } = statefulClient(state, (sent) => ({ ...sent, storeId: ids[0] }));
    const error = await writeError(modifyEach(client, "expositions"));
    expect(error).toMatchObject({ reason: "other-entity", issues: [{ path: "storeId" }] });
  });
});

describe("a store that was replaced by another one while a change ran", () => {
  const other = "5c4ed01e-0000-4000-a000-00000000000b";
  const rack = { label: "Rack", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };

  it.each(["stores", "expositions"] as const)("is not written by %s.modify", async (resource) => {
    let state: JsonObject =
      resource === "stores" ? { ...stored } : { externalId: "S-1", storeId: uuid, items: [] };
    const { client, sent } = stubClient(() => json(state));
    const replaceStore = async (): Promise<never> => {
      state = { ...state, storeId: other };
      return (resource === "stores" ? { name: "New" } : [rack]) as never; // what each of them accepts
    };
    const modified: Promise<unknown> = client[resource].modify("S-1", replaceStore);
    const error = await modified.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: "conflict", issues: [{ path: "storeId" }] });
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });
});

describe("expositions.modify and a title", () => {
  it.each(["cleared", "kept"] as const)("clears it under expositions.omitted-title: %s", async (reading) => {
    const { store } = setUp({ "expositions.omitted-title": reading });
    await store.expositions.modify("S-1", (all) => all.map((one) => ({ ...one, friendlyTitle: "T" })));
    const { items } = await store.expositions.modify("S-1", (all) =>
      all.map(({ friendlyTitle: _, ...rest }) => rest),
    );
    expect(items.map(({ friendlyTitle }) => friendlyTitle)).toEqual(items.map(() => null));
  });
});

describe("calls of modify in a row", () => {
  it("end a wait with the reason of the signal, and keep their order", async () => {
    const { client, sent } = statefulClient(stored);
    const caller = new AbortController();
    let finish = (): void => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const running = client.stores.modify("S-1", async () => {
      await first;
      return { name: "first" };
    });
    const waiting = client.stores.modify("S-1", () => ({ name: "second" }), { signal: caller.signal });
    const last = client.stores.modify("S-1", ({ name }) => ({ name: `${name}, third` }));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    caller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    finish();
    await running;
    expect((await last).name).toBe("first, third");
  });

  it("do not wait for other stores, and continue after a failure", async () => {
    const { store } = setUp();
    const never = store.stores.modify("S-1", () => new Promise(() => {}));
    await expect(store.stores.modify("S-2", () => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
    expect((await store.stores.modify("S-2", () => ({ name: "B" }))).name).toBe("B");
    void never;
  });
});
