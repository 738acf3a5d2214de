/** A random list is JSON: the service, what changes at which request, and how programs walk the list. */
import * as fc from "fast-check";

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;

const one = <const T extends string | number | null | boolean>(...values: readonly T[]): fc.Arbitrary<T> =>
  fc.constantFrom(...values);
const upTo = (max: number) => fc.nat({ max });
const from1To = (max: number) => fc.integer({ min: 1, max });

/** Before a request, a row is created or deleted, at a place from 0 (the first row) to 1. */
const change = fc.record({
  before: fc.oneof(one(2, 3), fc.integer({ min: 2, max: 14 })),
  act: one("create", "create", "delete", "delete", "delete"),
  place: fc.oneof(one(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  count: one(1, 1, 1, 1, 2, 5, 9),
});
const changes = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 4 }) },
);

/** A response that is wrong: that to a request, or that to each request of a page after the first. */
const faults = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        request: fc.integer({ min: 2, max: 12 }),
        kind: one("old-page", "other-page", "same-cursor", "empty"),
      }),
      { minLength: 1, maxLength: 1 },
    ),
  },
);

/** How the list is walked. */
const walk = {
  limit: from1To(8),
  /** The pages that are requested before they are needed. */
  ahead: one(0, 0, 0, 1, 3),
  /** Whether another process continues after each page. */
  isInPieces: fc.boolean(),
  verify: one(false, false, false, false, true),
};

const numbered = fc.record({
  kind: fc.constant("numbered"),
  ...walk,
  list: one(
    "vehicles",
    "vehicleGroups",
    "vehicleFields",
    "fieldVehicles",
    "inspections",
    "inspectionTemplates",
    "damages",
    "driverAssignments",
  ),
  rows: upTo(40),
  changes,
  faults,
  /** The first page of the walk; 1 is not sent. */
  page: one(1, 1, 1, 1, 2, 3),
  /** The largest page that the service gives, and whether it counts pages of that size or of the requested one. */
  most: one(null, null, null, 2, 3, 5),
  counts: one("given", "requested"),
  totals: one("right", "right", "right", "right", "hidden", "small", "of the page"),
  pastEnd: one("empty", "400", "404", "clamped"),
  hasNextPage: one("right", "right", "right", "never", "on a full page"),
  /** Lists without pagination come whole, or have pages nevertheless. */
  pagination: one("right", "right", "right", "right", "right", "whole", "none"),
  onDrift: one("heal", "heal", "heal", "heal", "report", "throw"),
});

const stores = fc.record({
  kind: fc.constant("stores"),
  ...walk,
  rows: upTo(30),
  /** The number of stores without external ID, which come last. */
  withoutId: one(0, 0, 0, 1, 2),
  changes,
  faults,
  cursors: one("after", "after", "at"),
  /** What the service does with the cursor of a deleted store. */
  unknown: one("next", "rejected", "empty"),
});

const timed = {
  ...walk,
  rows: upTo(40),
  /** The time of the rows: the length of the range in ms, and whether many have the same time. */
  span: one(1000, 60_000, 86_400_000, 400 * 86_400_000),
  isCrowded: one(false, false, true),
  seed: upTo(1_000_000),
  order: one("oldest", "newest", "id"),
  faults,
  ids: one("own", "own", "id", "identify", "none"),
  ends: one("half-open", "closed", "open", "left-open"),
};

/** Protocols arrive: most often one, early, and where a service shows it first. */
const arrival = fc.record({
  before: fc.oneof(one(2, 3), fc.integer({ min: 2, max: 14 })),
  place: fc.oneof(one(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  count: one(1, 1, 1, 2, 5),
});

const protocols = fc.record({
  kind: fc.constant("protocols"),
  ...timed,
  arrivals: fc.array(arrival, { maxLength: 2 }),
  cursors: one("after", "at", "ignored", "ignored and new", "rejected", "rejected later"),
  protocolPages: one("auto", "auto", "window"),
  precision: one("millisecond", "millisecond", "second", "minute"),
});

const photos = fc.record({
  kind: fc.constant("photos"),
  ...timed,
  cursors: one("after", "at", "offset"),
  names: one("items", "photos"),
});

export type NumberedCase = Value<typeof numbered>;
export type StoresCase = Value<typeof stores>;
export type ProtocolsCase = Value<typeof protocols>;
export type PhotosCase = Value<typeof photos>;
export type ListCase = NumberedCase | StoresCase | ProtocolsCase | PhotosCase;
export type Change = Value<typeof change>;
export type Fault = Value<typeof faults>[number];

export const listCases: fc.Arbitrary<ListCase> = fc.oneof(
  { weight: 4, arbitrary: numbered },
  { weight: 2, arbitrary: stores },
  { weight: 3, arbitrary: protocols },
  { weight: 1, arbitrary: photos },
);
