import { describe, expect, it } from "vitest";
import { storeQueryLimits } from "../../generated/store.limits.ts";
import * as z from "zod/mini";
import {
  zDamage,
  zListVehicleFieldsQuery,
  zInspection,
  zListInspectionTemplatesQuery,
  zTemplateItem,
} from "../../generated/fleet.schemas.ts";
import {
  zContact,
  zContactInput,
  zExpectationInput,
  zExpositionInput,
  zGetExpositionFillRatePath,
  zGetFillRatesQuery,
  zListPhotosQuery,
  zListStoresQuery,
  zProtocolDetail,
  zPutStoreBody,
  zStore,
} from "../../generated/store.schemas.ts";
import { storeContract } from "../../generated/store.contract.ts";

const store = {
  storeId: "0b6f3c1e-52d4-4a0b-8f2e-6d1f0c9a7b31",
  externalId: "S-1",
  name: "Kiosk",
  location: null,
  regionId: null,
  storeType: "Kiosk",
  openingTimes: [{ weekday: 6, from: "", to: "late" }],
  protocolScheduleId: "11111111-1111-1111-1111-111111111111",
  protocolCronEnabled: true,
  onboardingComplete: false,
  loginCode: "",
};

const contact = {
  contactId: "11111111-1111-1111-1111-111111111111",
  contactType: "store",
  name: "Anna",
  phone: "1",
  email: null,
  hasWhatsapp: false,
  createdAt: "2026-01-01T09:00:00.250+01:00",
};

const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00+02:00" };

const accepts = (schema: z.ZodMiniType, value: unknown): boolean => z.safeParse(schema, value).success;

describe("a schema of a response", () => {
  it("keeps fields that the contract does not name, at every depth", () => {
    const wider = { ...store, added: 1, openingTimes: [{ weekday: 0, from: "a", to: "b", note: "new" }] };
    expect(z.parse(zStore, wider)).toEqual(wider);
  });

  it("keeps the content of an open object and requires the properties beside it", () => {
    const detail = { protocolId: "P-1", images: [{ url: "x" }] };
    expect(z.parse(zProtocolDetail, detail)).toEqual(detail);
    expect(accepts(zProtocolDetail, { protocolId: "P-1" })).toBe(false);
  });

  it.each([
    "2026-01-01T09:00:00Z",
    "2026-01-01T09:00:00.250+01:00",
    "2026-01-01T09:00:00,25-0330",
    "2026-01-01T09:00:00",
    "2026-01-01T09:00",
    "2026-01-01T09:00Z",
    "2026-01-01T09:00:00+0100",
    "2026-01-01T09:00:00+01",
    "2026-01-01t09:00:00z",
    "2026-01-01T24:00",
    "2026-01-01T24:00:00.000Z",
    "2026-12-31T23:59:60Z",
    "20260101T0900Z",
    "20240229T090000.5+0100",
    "2024-02-29T00:00:00Z",
    "2000-02-29T00:00:00Z",
  ])("accepts the date-time %s (gap date-times.forms)", (createdAt) => {
    expect(accepts(zContact, { ...contact, createdAt })).toBe(true);
  });

  it.each([
    "yesterday",
    "2026-01-01",
    "2026-01-01 09:00",
    "2026-13-01T09:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "20260229T0900Z",
    "20260101T09:00Z",
    "2026-01-01T0900Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01T24:01:00Z",
    "2026-01-01T09:60:00Z",
    "2026-01-01T09:00:00+25:00",
    "2026-01-01T09:00:00Z\n",
  ])("rejects %j, which is not a date-time", (createdAt) => {
    expect(accepts(zContact, { ...contact, createdAt })).toBe(false);
  });

  it("accepts null for a missing object (gap fleet.absent-properties)", () => {
    expect(accepts(zDamage, { id: "d-1", vehicle: null, inspection: null, reportedBy: null })).toBe(true);
  });

  it("accepts an enum value that a later server adds", () => {
    expect(accepts(zStore, { ...store, storeType: "Unlisted" })).toBe(true);
    expect(accepts(zStore, { ...store, storeType: null })).toBe(true);
    expect(accepts(zTemplateItem, templateItem("SLIDER"))).toBe(true);
  });

  it("accepts a uuid without version bits", () => {
    expect(accepts(zStore, store)).toBe(true);
    expect(accepts(zInspection, { id: "x" })).toBe(false);
  });

  it("rejects a missing field that is always present", () => {
    const { loginCode: _, ...rest } = store;
    expect(accepts(zStore, rest)).toBe(false);
  });

  it("lets nullable properties of a contact be absent (gap responses.nullable-properties)", () => {
    const { email: _, ...rest } = contact;
    expect(accepts(zContact, rest)).toBe(true);
  });
});

describe("a schema of a request body", () => {
  it("accepts any string for an enum, so that a response can be sent back", () => {
    expect(accepts(zPutStoreBody, { storeType: "Unlisted" })).toBe(true);
    expect(accepts(zPutStoreBody, { storeType: null })).toBe(true);
    expect(accepts(zPutStoreBody, { storeType: 1 })).toBe(false);
  });

  it("accepts only the listed values of an enum in the strict module (gap requests.unlisted-values)", () => {
    expect(accepts(storeContract.putStore.body, { storeType: "Unlisted" })).toBe(false);
    expect(accepts(storeContract.putStore.body, { storeType: "Kiosk" })).toBe(true);
    const contacts = [{ name: "Anna", phone: "1", contactType: "boss" }];
    expect(accepts(storeContract.putContacts.body, { contacts })).toBe(false);
    const expectations = [expectation({ displayType: "SHELF" })];
    expect(accepts(storeContract.putExpectations.body, { expectations })).toBe(false);
    const expositions = [
      { label: "x", productCategories: ["none of the contract"], expositionType: "FRIDGE_DRINKS" },
    ];
    expect(accepts(storeContract.putExpositions.body, { expositions })).toBe(false);
  });

  it("does not require a property that has a default", () => {
    expect(accepts(zContactInput, { name: "Anna", phone: "1" })).toBe(true);
    expect(
      accepts(zExpositionInput, { label: "x", productCategories: [], expositionType: "FRIDGE_DRINKS" }),
    ).toBe(true);
  });

  it("adds no default to a body", () => {
    expect(z.parse(zContactInput, { name: "Anna", phone: "1" })).toEqual({ name: "Anna", phone: "1" });
  });

  it.each(["a@b", "ąę@ż.pl", "first.last+tag@mail.example.co"])("accepts the e-mail address %s", (email) => {
    expect(accepts(zContactInput, { name: "Anna", phone: "1", email })).toBe(true);
  });

  it.each(["a@", "@b", "a", "a@@b", "a@b@c", "a b@c", "a@b c", " a@b", "a@b\n"])(
    "rejects the e-mail address %s",
    (email) => {
      expect(accepts(zContactInput, { name: "Anna", phone: "1", email })).toBe(false);
    },
  );

  it.each([-1, 7, 1.5, "1"])("rejects the weekday %s", (weekday) => {
    expect(accepts(zExpectationInput, expectation({ weekday }))).toBe(false);
  });

  it.each(["24:00", "8:00", "08:60", "08:00\n"])("rejects the time %j", (protocolTime) => {
    expect(accepts(zExpectationInput, expectation({ protocolTime }))).toBe(false);
  });

  it("requires a category, which may be null", () => {
    expect(accepts(zExpectationInput, expectation({ productCategory: null }))).toBe(true);
    expect(accepts(zExpectationInput, expectation({ productCategory: undefined }))).toBe(false);
  });
});

describe("a schema of a query", () => {
  it("converts numbers and booleans from strings", () => {
    const query = { ...range, minFillRate: "12.5", belowExpectationOnly: "true", externalIds: "S-1,S-2" };
    expect(z.parse(zGetFillRatesQuery, query)).toEqual({
      ...query,
      minFillRate: 12.5,
      belowExpectationOnly: true,
      status: "completed",
      groupBy: "store",
    });
    expect(z.parse(zListInspectionTemplatesQuery, { isActive: "false" })).toMatchObject({ isActive: false });
  });

  it("fills in the defaults", () => {
    expect(z.parse(zListStoresQuery, {})).toEqual({ limit: 100 });
    expect(z.parse(zListVehicleFieldsQuery, {})).toEqual({ page: 1, limit: 50 });
  });

  it.each([
    ["1e-7", 1e-7],
    ["1E1", 10],
    ["0.5", 0.5],
  ])("reads the number %s", (minFillRate, number) => {
    expect(z.parse(zGetFillRatesQuery, { ...range, minFillRate })).toMatchObject({ minFillRate: number });
  });

  it.each(["0", `${storeQueryLimits.listStores.limit.maximum + 1}`, "1.5", "", " 1", "1e1", "ten"])(
    "rejects the limit %j",
    (limit) => {
      expect(accepts(zListStoresQuery, { limit })).toBe(false);
    },
  );

  it("keeps parameters that the contract does not name", () => {
    expect(z.parse(zListStoresQuery, { more: "1" })).toEqual({ limit: 100, more: "1" });
  });

  it("rejects a missing start of the time range", () => {
    expect(accepts(zListPhotosQuery, { to: range.to })).toBe(false);
  });

  it("accepts the statuses of protocols and of images", () => {
    expect(accepts(zListPhotosQuery, { ...range, status: "awaiting_submission" })).toBe(true);
    expect(accepts(zListPhotosQuery, { ...range, status: "annotated" })).toBe(true);
    expect(accepts(zListPhotosQuery, { ...range, status: "other" })).toBe(false);
  });
});

it("a schema of a path checks the UUID in it", () => {
  expect(accepts(zGetExpositionFillRatePath, { externalId: "S-1", expositionId: store.storeId })).toBe(true);
  expect(accepts(zGetExpositionFillRatePath, { externalId: "S-1", expositionId: "1" })).toBe(false);
});

function expectation(change: object): object {
  return {
    productCategory: "DRINKS",
    displayType: "FRIDGE_DRINKS",
    weekday: 0,
    protocolTime: "08:30",
    expectedFillRatio: 80,
    ...change,
  };
}

function templateItem(inputType: string): object {
  return {
    id: "1",
    label: "x",
    inputType,
    isRequired: true,
    options: [],
    order: 1,
    instructionImageUrl: null,
  };
}
