import type { Ask, AskTable } from "./ask.ts";

const UUID = "11111111-1111-1111-1111-111111111111";
const RANGE = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:01+01:00" };
const INVERTED = { from: RANGE.to, to: RANGE.from };
const PROTOCOL_STATUSES = ["awaiting_submission", "awaiting_processing", "processing", "completed", "failed"];
const IMAGE_STATUSES = ["pending", "uploaded", "annotating", "annotated", "evaluating"];

const store = { externalId: "S-1" };
const nobody = { externalId: "nobody/here" };
const stranger: Ask = { path: store, query: { nonsense: 1 } };

const WHOLE = {
  name: "Whole",
  location: "There",
  regionId: UUID,
  storeType: "Ulica",
  openingTimes: [{ weekday: 1, from: "a", to: "b" }],
  protocolScheduleId: UUID,
  protocolCronEnabled: true,
  onboardingComplete: true,
  loginCode: "1",
};
const CONTACTS = [
  { name: "A", phone: "1" },
  { contactType: "regional_manager", name: "B", phone: "2", email: "b@c.pl", hasWhatsapp: true },
];
const EXPECTATION = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 6,
  protocolTime: "23:59",
  expectedFillRatio: 100,
};
const EXPOSITION = { label: "Rack", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };

/** Wrong ranges of each list of a store, and the same without the store. */
function ranged(good: Ask[]): { good: Ask[]; bad: Ask[]; unknown: Ask[]; open: Ask[] } {
  return {
    good,
    bad: [{ path: store }, { path: store, query: { ...RANGE, to: "tomorrow" } }],
    unknown: [
      { path: nobody, query: RANGE },
      { path: nobody, query: { ...RANGE, status: "open" } },
    ],
    open: [
      { path: store, query: INVERTED },
      { path: store, query: { ...RANGE, nonsense: 1 } },
    ],
  };
}

/** Each operation of the store API, with all that its answers depend on. */
export const storeAsks: AskTable = ({ state }) => {
  const expositions = state.store.expositions.get("S-1") ?? [];
  const expositionId = expositions[0]?.expositionId ?? "";
  const protocolId = state.store.protocols.get("S-1")?.[0]?.protocolId ?? "";
  const photoId = state.store.photos.get("S-1")?.[0]?.photoId ?? "";
  const upsert = (...elements: object[]): Ask => ({ path: store, body: { expositions: elements } });
  return {
    listStores: {
      good: [{}, { query: { limit: 2 } }, { query: { limit: 100, cursor: "S-3" } }],
      bad: [{ query: { limit: 0 } }, { query: { limit: "many" } }],
      open: [{ query: { cursor: "nobody" } }, { query: { nonsense: 1 } }],
    },
    getStore: { good: [{ path: store }], unknown: [{ path: nobody }], open: [stranger] },
    putStore: {
      good: [
        { path: nobody, body: WHOLE },
        { path: store, body: WHOLE },
      ],
      bad: [
        { path: store, body: [] },

        { path: nobody, body: { storeType: "Shop", openingTimes: [{ weekday: 7 }] } },
      ],
      open: [
        { path: { externalId: "new" }, body: {} },
        { path: store, body: { name: "Renamed" } },
        { path: store, body: { storeType: null, location: null, regionId: null, openingTimes: null } },
        { path: store, body: { ...WHOLE, externalId: "other" } },
        { path: { externalId: "S-2" }, body: { ...WHOLE, nonsense: 1 } },
      ],
    },
    getContacts: { good: [{ path: store }], unknown: [{ path: nobody }], open: [stranger] },
    putContacts: {
      good: [
        { path: store, body: { contacts: CONTACTS } },
        { path: store, body: { contacts: [] } },
      ],
      bad: [
        { path: store, body: {} },
        { path: store, body: { contacts: [{ email: "none" }] } },
      ],
      unknown: [
        { path: nobody, body: { contacts: [] } },
        { path: nobody, body: {} },
      ],
      open: [
        { path: store, body: { contacts: [...CONTACTS, ...CONTACTS] } },
        { path: store, body: { contacts: [], nonsense: 1 } },
      ],
    },
    getExpectations: { good: [{ path: store }], unknown: [{ path: nobody }], open: [stranger] },
    putExpectations: {
      good: [
        { path: store, body: { expectations: [EXPECTATION, { ...EXPECTATION, weekday: 0 }] } },
        { path: store, body: { expectations: [] } },
      ],
      bad: [{ path: store, body: { expectations: [{ ...EXPECTATION, protocolTime: "24:00" }] } }],
      unknown: [{ path: nobody, body: { expectations: [] } }],
      open: [{ path: store, body: { expectations: [EXPECTATION, EXPECTATION] } }],
    },
    getExpositions: { good: [{ path: store }], unknown: [{ path: nobody }], open: [stranger] },
    putExpositions: {
      good: [
        upsert(EXPOSITION, { ...EXPOSITION, friendlyTitle: "Rack by the door", status: "disabled" }),
        upsert({ ...EXPOSITION, expositionId }),
      ],
      bad: [upsert({ label: 1 }), upsert(...Array.from({ length: 501 }, () => EXPOSITION))],
      unknown: [{ path: nobody, body: { expositions: [] } }],
      open: [
        upsert({ ...EXPOSITION, expositionId: UUID }),
        upsert({ ...EXPOSITION, expositionId }, { ...EXPOSITION, expositionId }),
      ],
    },
    listProtocols: ranged([
      { path: store, query: RANGE },
      { path: store, query: { ...RANGE, limit: 1 } },
      ...PROTOCOL_STATUSES.map((status) => ({ path: store, query: { ...RANGE, status } })),
    ]),
    getProtocol: {
      good: [{ path: { ...store, protocolId } }],
      unknown: [{ path: { ...store, protocolId: "none" } }, { path: { ...nobody, protocolId } }],
      open: [{ path: { ...store, protocolId }, query: { nonsense: 1 } }],
    },
    listPhotos: ((asks) => ({
      ...asks,
      bad: [...asks.bad, { path: store, query: { ...RANGE, limit: 501, status: "open" } }],
      open: [
        ...asks.open,
        { path: store, query: { ...RANGE, cursor: "none" } },
        ...[...PROTOCOL_STATUSES, ...IMAGE_STATUSES].map((status) => ({
          path: store,
          query: { ...RANGE, status },
        })),
      ],
    }))(
      ranged([
        { path: store, query: RANGE },
        { path: store, query: { ...RANGE, limit: 2, cursor: photoId } },
        { path: store, query: { ...RANGE, protocolId, expositionId } },
      ]),
    ),
    getStoreFillRates: ranged([
      ...["protocol", "exposition", "category"].map((groupBy) => ({
        path: store,
        query: { ...RANGE, groupBy },
      })),
      ...PROTOCOL_STATUSES.map((status) => ({ path: store, query: { ...RANGE, status } })),
    ]),
    getExpositionFillRate: {
      good: [{ path: { ...store, expositionId }, query: RANGE }],
      bad: [{ path: { ...store, expositionId }, query: { ...RANGE, status: "open" } }],
      unknown: [
        { path: { ...store, expositionId: UUID }, query: RANGE },
        { path: { ...nobody, expositionId }, query: RANGE },
      ],
      open: [
        { path: { ...store, expositionId: "no-uuid" }, query: RANGE },
        { path: { ...store, expositionId }, query: INVERTED },
      ],
    },
    getFillRates: {
      good: [
        ...["store", "region", "expositionType", "productCategory", "day", "week"].flatMap((groupBy) => [
          { query: { ...RANGE, groupBy } },
          { query: { ...RANGE, groupBy, belowExpectationOnly: true, minFillRate: 10, maxFillRate: 99.5 } },
        ]),
        { query: { ...RANGE, externalIds: "S-1,S-2" } },
      ],
      bad: [
        { query: {} },
        { query: { ...RANGE, groupBy: "month" } },
        { query: { ...RANGE, minFillRate: 101 } },
      ],
      open: [
        { query: INVERTED },
        { query: { ...RANGE, externalIds: "S-1,nobody" } },
        { query: { ...RANGE, minFillRate: 60, maxFillRate: 40 } },
        { query: { ...RANGE, nonsense: 1 } },
      ],
    },
  };
};
