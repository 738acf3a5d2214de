import { storeBodyLimits } from "../../generated/store.limits.ts";
import type { StoreOperationId } from "../../generated/store.operations.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import type { RequestCase, ExtraCases } from "./request-cases.ts";
import { range, storeIdsOf } from "./store-samples.ts";

const uuid = "11111111-1111-1111-1111-111111111111";
const store = { externalId: "S-1" };
const unknownStore = { externalId: "nobody/here" };
const inverted: RequestCase = { path: store, query: { from: range.to, to: range.from } };

const wholeStore = {
  name: "Whole",
  location: "There",
  regionId: uuid,
  storeType: "Ulica",
  openingTimes: [{ weekday: 1, from: "a", to: "b" }],
  protocolScheduleId: uuid,
  protocolCronEnabled: true,
  onboardingComplete: true,
  loginCode: "1",
};
const contacts = [
  { name: "A", phone: "1" },
  { contactType: "regional_manager", name: "B", phone: "2", email: "b@c.pl", hasWhatsapp: true },
];
const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 6,
  protocolTime: "23:59",
  expectedFillRatio: 100,
};
const exposition = { label: "Rack", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };
const weekdayLimit = storeBodyLimits.OpeningTime.weekday.maximum;
const tooMany = storeBodyLimits.ExpositionUpsert.expositions.maxItems + 1;

const upsert = (...expositions: object[]): RequestCase => ({ path: store, body: { expositions } });

/** Data on which the responses of the store API depend, in addition to the rows of the operation table. */
export function extraStoreCases(ref: ReferenceServer): ExtraCases<StoreOperationId> {
  const { expositionId, protocolId } = storeIdsOf(ref);
  const photoId = ref.state.store.photos.get("S-1")?.[0]?.photoId ?? "";
  const unknownBeforeBad: RequestCase = { path: unknownStore, query: { ...range, status: "open" } };
  return {
    listStores: {
      good: [{ query: { limit: 2 } }, { query: { limit: 100, cursor: "S-3" } }],
      open: [{ query: { cursor: "nobody" } }],
    },
    putStore: {
      good: [unknownStore, store].map((path) => ({ path, body: wholeStore })),
      bad: [
        { path: unknownStore, body: { storeType: "Shop", openingTimes: [{ weekday: weekdayLimit + 1 }] } },
      ],
      open: [
        { path: { externalId: "new" }, body: {} },
        { path: store, body: { name: "Renamed" } },
        { path: store, body: { storeType: null, location: null, regionId: null, openingTimes: null } },
        { path: store, body: { ...wholeStore, externalId: "other" } },
        { path: { externalId: "S-2" }, body: { ...wholeStore, nonsense: 1 } },
      ],
    },
    putContacts: {
      good: [contacts, []].map((some) => ({ path: store, body: { contacts: some } })),
      bad: [{}, { contacts: [{ email: "none" }] }].map((body) => ({ path: store, body })),
      unknown: [{ path: unknownStore, body: {} }],
      open: [
        { path: store, body: { contacts: [...contacts, ...contacts] } },
        { path: store, body: { contacts: [], nonsense: 1 } },
      ],
    },
    putExpectations: {
      good: [
        { path: store, body: { expectations: [expectation, { ...expectation, weekday: 0 }] } },
        { path: store, body: { expectations: [] } },
      ],
      bad: [{ path: store, body: { expectations: [{ ...expectation, protocolTime: "24:00" }] } }],
      open: [{ path: store, body: { expectations: [expectation, expectation] } }],
    },
    putExpositions: {
      good: [
        upsert(exposition, { ...exposition, friendlyTitle: "Rack by the door", status: "disabled" }),
        upsert({ ...exposition, expositionId }),
      ],
      bad: [upsert({ label: 1 }), upsert(...Array.from({ length: tooMany }, () => exposition))],
      open: [
        upsert({ ...exposition, expositionId: uuid }),
        upsert({ ...exposition, expositionId }, { ...exposition, expositionId }),
      ],
    },
    listProtocols: {
      good: [{ path: store, query: { ...range, limit: 1 } }],
      unknown: [unknownBeforeBad],
      open: [inverted],
    },
    getProtocol: { unknown: [{ path: { ...unknownStore, protocolId } }] },
    listPhotos: {
      good: [
        { path: store, query: { ...range, limit: 2, cursor: photoId } },
        { path: store, query: { ...range, protocolId, expositionId } },
      ],
      unknown: [unknownBeforeBad],
      open: [inverted, { path: store, query: { ...range, cursor: "none" } }],
    },
    getStoreFillRates: { unknown: [unknownBeforeBad], open: [inverted] },
    getExpositionFillRate: { open: [{ ...inverted, path: { ...store, expositionId } }] },
    getFillRates: {
      good: [
        { query: { ...range, belowExpectationOnly: true, minFillRate: 10, maxFillRate: 99.5 } },
        { query: { ...range, externalIds: "S-1,S-2" } },
      ],
      open: [
        { query: { ...range, from: range.to, to: range.from } },
        { query: { ...range, externalIds: "S-1,nobody" } },
        { query: { ...range, minFillRate: 60, maxFillRate: 40 } },
      ],
    },
  };
}
