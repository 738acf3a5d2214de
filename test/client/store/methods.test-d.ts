import { describe, expectTypeOf, it } from "vitest";
import type {
  Call,
  CallOptions,
  ContactInput,
  ContactList,
  CursorList,
  ExpectationInput,
  ExpectationList,
  ExpositionFillRate,
  ExpositionInput,
  ExpositionList,
  FillRates,
  JsonObject,
  Photo,
  Protocol,
  ProtocolDetail,
  ProtocolImage,
  Store,
  StoreClient,
  StoreFillRates,
  StoreType,
  StoreUpsert,
} from "../../../src/client/store/index.ts";

declare const client: StoreClient;
declare const contact: ContactInput;
declare const expectation: ExpectationInput;
declare const exposition: ExpositionInput;
declare const options: CallOptions;
const range = { from: new Date(0), to: "2026-01-01T00:00:00Z" };
// nothing below is called: the compiler alone reads it

describe("stores", () => {
  it("modify", () => {
    const name = "New" as string | undefined;
    const changed = client.stores.modify("S-1", (store) => ({ ...store, name }));
    expectTypeOf(changed).toEqualTypeOf<Promise<Store>>();
    void client.stores.modify("S-1", async () => ({ openingTimes: null }), { check: false });
    // @ts-expect-error a name is not a number
    void client.stores.modify("S-1", () => ({ name: 5 }));
  });

  it("list", () => {
    expectTypeOf(client.stores.list()).toEqualTypeOf<CursorList<Store>>();
    client.stores.list({ limit: 5, cursor: "x", resume: "y", extra: { a: "b" } }, options);
    // @ts-expect-error a limit is a number
    client.stores.list({ limit: "5" });
    // @ts-expect-error the list has no pages by number
    client.stores.list({ page: 2 });
    // @ts-expect-error further filters are texts
    client.stores.list({ extra: { a: 5 } });
    // @ts-expect-error nobody knows this option
    client.stores.list({}, { tiemout: 5 });
  });

  it("get", () => {
    expectTypeOf(client.stores.get("S", options)).toEqualTypeOf<Call<Store>>();
    // @ts-expect-error an id is due
    void client.stores.get();
    // @ts-expect-error an id is a text
    void client.stores.get(5);
  });

  it("upsert", () => {
    expectTypeOf(client.stores.upsert("S", {})).toEqualTypeOf<Call<Store>>();
    void client.stores.upsert(
      "S",
      { storeType: null, openingTimes: null, regionId: null, name: "x" },
      options,
    );
    // @ts-expect-error a store is due
    void client.stores.upsert("S");
    void client.stores.upsert("S", { storeType: "Moon" });
    // @ts-expect-error a name is never null
    void client.stores.upsert("S", { name: null });
    // @ts-expect-error no such property
    void client.stores.upsert("S", { storeID: "x" });
  });
});

describe("contacts, expectations, expositions", () => {
  it("are read", () => {
    expectTypeOf(client.contacts.get("S", options)).toEqualTypeOf<Call<ContactList>>();
    expectTypeOf(client.expectations.get("S", options)).toEqualTypeOf<Call<ExpectationList>>();
    expectTypeOf(client.expositions.get("S", options)).toEqualTypeOf<Call<ExpositionList>>();
    // @ts-expect-error an id is due
    void client.contacts.get();
    // @ts-expect-error an id is due
    void client.expectations.get();
    // @ts-expect-error options stand last
    void client.expositions.get(options);
  });

  it("replaces contacts", () => {
    expectTypeOf(client.contacts.replace("S", [contact], options)).toEqualTypeOf<Call<ContactList>>();
    void client.contacts.replace("S", [{ name: "x", phone: "1" }] as const);
    // @ts-expect-error the plain array, not the body
    void client.contacts.replace("S", { contacts: [] });
    // @ts-expect-error a phone is required
    void client.contacts.replace("S", [{ name: "x" }]);
    void client.contacts.replace("S", [{ name: "x", phone: "1", contactType: "boss" }]);
  });

  it("replaces expectations", () => {
    expectTypeOf(client.expectations.replace("S", [expectation], options)).toEqualTypeOf<
      Call<ExpectationList>
    >();
    const { productCategory: _, ...rest } = expectation;
    // @ts-expect-error the category is required, though it may be null
    void client.expectations.replace("S", [rest]);
    // @ts-expect-error a ratio is a number
    void client.expectations.replace("S", [{ ...expectation, expectedFillRatio: "80" }]);
  });

  it("upserts expositions", () => {
    expectTypeOf(client.expositions.upsert("S", [exposition], options)).toEqualTypeOf<Call<ExpositionList>>();
    // @ts-expect-error categories are required
    void client.expositions.upsert("S", [{ label: "x", expositionType: "FRIDGE_DRINKS" }]);
    void client.expositions.upsert("S", [{ ...exposition, status: "gone" }]);
  });
});

describe("protocols and photos", () => {
  it("lists protocols", () => {
    expectTypeOf(client.protocols.list("S", range, options)).toEqualTypeOf<CursorList<Protocol>>();
    client.protocols.list("S", { ...range, status: "failed", limit: 1, identify: (one) => String(one.id) });
    // @ts-expect-error a range is required
    client.protocols.list("S");
    // @ts-expect-error both ends of it
    client.protocols.list("S", { from: new Date() });
    // @ts-expect-error a status of images only
    client.protocols.list("S", { ...range, status: "annotated" });
    // @ts-expect-error the contract declares no cursor here
    client.protocols.list("S", { ...range, cursor: "x" });
  });

  it("reads a protocol", () => {
    expectTypeOf(client.protocols.get("S", "P", options)).toEqualTypeOf<Call<ProtocolDetail>>();
    expectTypeOf<ProtocolDetail["images"]>().toEqualTypeOf<ProtocolImage[]>();
    // @ts-expect-error the protocol's id is due
    void client.protocols.get("S");
  });

  it("lists photos", () => {
    expectTypeOf(client.photos.list("S", range, options)).toEqualTypeOf<CursorList<Photo>>();
    client.photos.list("S", {
      ...range,
      status: "annotated",
      cursor: "x",
      expositionId: "e",
      protocolId: "p",
    });
    client.photos.list("S", { ...range, status: "awaiting_submission" });
    // @ts-expect-error of neither enum
    client.photos.list("S", { ...range, status: "done" });
    // @ts-expect-error a range is required
    client.photos.list("S", {});
    expectTypeOf<Photo>().toExtend<JsonObject>();
  });
});

describe("fill rates", () => {
  it("are read for a store", () => {
    expectTypeOf(client.fillRates.forStore("S", range, options)).toEqualTypeOf<Call<StoreFillRates>>();
    void client.fillRates.forStore("S", { ...range, groupBy: "category", status: "processing" });
    // @ts-expect-error no group of one store
    void client.fillRates.forStore("S", { ...range, groupBy: "region" });
    // @ts-expect-error a range is required
    void client.fillRates.forStore("S");
  });

  it("are read for an exposition", () => {
    expectTypeOf(client.fillRates.forExposition("S", "E", range, options)).toEqualTypeOf<
      Call<ExpositionFillRate>
    >();
    // @ts-expect-error one exposition has no groups
    void client.fillRates.forExposition("S", "E", { ...range, groupBy: "protocol" });
    // @ts-expect-error the exposition's id is due
    void client.fillRates.forExposition("S", range);
  });

  it("are read across stores", () => {
    expectTypeOf(client.fillRates.across(range, options)).toEqualTypeOf<Call<FillRates>>();
    void client.fillRates.across({
      ...range,
      externalIds: ["a"] as const,
      groupBy: "day",
      minFillRate: 1,
      maxFillRate: 2,
      belowExpectationOnly: true,
    });
    // @ts-expect-error an array, not a text
    void client.fillRates.across({ ...range, externalIds: "a,b" });
    // @ts-expect-error no group across stores
    void client.fillRates.across({ ...range, groupBy: "protocol" });
  });
});

describe("results", () => {
  it("results of lists are pages when awaited and items when iterated", async () => {
    const list = client.stores.list();
    const page = await list;
    expectTypeOf(page.items).toEqualTypeOf<Store[]>();
    expectTypeOf(page.nextCursor).toEqualTypeOf<string | null>();
    expectTypeOf(page.resume).toEqualTypeOf<string | null>();
    expectTypeOf(page.raw).toEqualTypeOf<JsonObject>();
    for await (const store of list) expectTypeOf(store).toEqualTypeOf<Store>();
    for await (const one of list.pages({ prefetch: 1 })) expectTypeOf(one).toEqualTypeOf<typeof page>();
    expectTypeOf(list.take(5)).resolves.toEqualTypeOf<Store[]>();
    expectTypeOf(list.toArray()).resolves.toEqualTypeOf<Store[]>();
  });

  it("come with their response where it is asked for", async () => {
    const { data, response } = await client.stores.get("S").withResponse();
    expectTypeOf(data).toEqualTypeOf<Store>();
    expectTypeOf(response).toEqualTypeOf<Response>();
  });

  it("have open enums, and so do inputs", () => {
    expectTypeOf<Store["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null>();
    expectTypeOf<StoreUpsert["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null | undefined>();
    expectTypeOf<StoreFillRates>().toExtend<JsonObject>();
    expectTypeOf<Protocol>().toExtend<JsonObject>();
  });
});
