import type { Expectation, Exposition, JsonObject, Store } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok, refuse } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import type { ProtocolRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { expositionOf, externalIdOf, requireStore, storedId } from "./stores.ts";
import { assertTimeRange, localTime, photoInstant, timeRange } from "./times.ts";

/** `GET /v1/stores/{externalId}/fill-rates` */
export const getStoreFillRates: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => {
    assertTimeRange(call);
    const externalId = externalIdOf(call);
    const { groupBy } = call.query;
    const groups = groupsOf([photosOf(call, externalId)], groupBy, call.is);
    return ok(bodyOf(call, { externalId, groupBy }, groups, groupBy));
  },
};

/** `GET /v1/stores/{externalId}/expositions/{expositionId}/fill-rate` */
export const getExpositionFillRate: Handler<StoreCall> = {
  find: (call) => {
    requireStore(call);
    if (expositionOf(call, call.params.expositionId) === undefined) refuseUnknown("exposition");
  },
  run: (call) => {
    assertTimeRange(call);
    const externalId = externalIdOf(call);
    const expositionId = expositionOf(call, call.params.expositionId)?.expositionId;
    const photos = photosOf(call, externalId).filter((photo) => photo.expositionId === expositionId);
    const groups = groupsOf([photos], "exposition", call.is);
    return ok(bodyOf(call, { externalId, expositionId }, groups, "exposition"));
  },
};

/** `GET /v1/fill-rate` */
export const getFillRates: Handler<StoreCall> = {
  run: (call) => {
    assertTimeRange(call);
    const { groupBy, belowExpectationOnly, minFillRate = -Infinity, maxFillRate = Infinity } = call.query;
    if (minFillRate > maxFillRate) refuse("minFillRate", "must be at most maxFillRate");
    // store by store: the photos of 100 000 stores do not fit into memory
    const photos = function* () {
      for (const key of selectedStores(call)) yield photosOf(call, key);
    };
    const groups = groupsOf(photos(), groupBy, call.is).filter((group) => {
      const rate = rateOf(group);
      return (belowExpectationOnly !== true || isBelow(group)) && rate >= minFillRate && rate <= maxFillRate;
    });
    return ok(bodyOf(call, { groupBy }, groups, groupBy));
  },
};

/** gaps fill-rates.shape, fill-rates.calculation */
function bodyOf(call: StoreCall, head: object, groups: readonly Group[], groupBy: string): JsonObject {
  const { query, is } = call;
  const isPercent = is("fill-rates.calculation", "percent");
  const rows = groups.map((group) => ({
    [KEY_NAMES[groupBy] ?? groupBy]: group.key,
    fillRate: isPercent ? rateOf(group) : round(rateOf(group) / 100, 4),
    photoCount: group.photos,
  }));
  const { from, to, status } = query;
  return { ...head, from, to, status, [is("fill-rates.shape", "groups") ? "groups" : "items"]: rows };
}

/** Returns the external IDs of the requested stores, each once, and skips unknown ones; all stores without a request. */
function selectedStores(call: StoreCall): readonly string[] {
  const { stores } = call.store;
  const requested = (call.query.externalIds ?? "").split(",").filter((id) => id !== "");
  if (requested.length === 0) return stores.keyList();
  return [...new Set(requested.map((id) => storedId(call, id)))].filter((key) => stores.has(key));
}

/** One evaluated photo, with the values that it can be grouped by. */
interface Photo {
  readonly store: Store;
  readonly protocol: ProtocolRow;
  readonly time: number;
  readonly expositionId: string | null;
  /** Absent if the store no longer has the exposition. */
  readonly exposition: Exposition | undefined;
  /** 0 to 100. */
  readonly rate: number;
  /** The expected fill ratio at that time, 0 to 100; absent if there is none, or if the query does not need it. */
  readonly expected: number | undefined;
}

/** Returns the photos of a store that count: completed photos with a fill rate, in the range, of protocols with the status. */
function photosOf(call: StoreCall, key: string): Photo[] {
  const { query, is, store: data } = call;
  const store = data.stores.read(key);
  const protocols = (data.protocols.read(key) ?? []).filter(({ status }) => status === query.status);
  if (store === undefined || protocols.length === 0) return [];
  const byId = new Map(protocols.map((protocol) => [protocol.protocolId, protocol]));
  const isInRange = timeRange(call);
  const expositions = new Map((data.expositions.read(key) ?? []).map((row) => [row.expositionId, row]));
  const expectations = query.belowExpectationOnly === true ? (data.expectations.read(key) ?? []) : [];
  return (data.photos.read(key) ?? []).flatMap((photo): Photo[] => {
    const { protocolId, expositionId, status, fillRate: rate } = photo;
    const protocol = byId.get(protocolId);
    if (protocol === undefined || status !== "completed" || typeof rate !== "number") return [];
    const time = photoInstant(photo, protocol, is);
    if (!isInRange(time)) return [];
    const exposition = expositionId === null ? undefined : expositions.get(expositionId);
    const expected = exposition && expectedRatio(expectations, exposition, time, is);
    return [{ store, protocol, time, expositionId, exposition, rate, expected }];
  });
}

/**
 * Returns the mean of the expectations of an exposition at a time: those of its type, weekday and categories, with the
 * latest time of day that has passed, else with the first of that day. gap weekdays.first
 */
function expectedRatio(
  expectations: readonly Expectation[],
  { expositionType, productCategories }: Exposition,
  time: number,
  is: Is,
): number | undefined {
  if (expectations.length === 0) return undefined;
  const { weekday, clock } = localTime(time, is);
  const day = is("weekdays.first", "sunday") ? weekday : (weekday + 6) % 7;
  const ofDay = expectations.filter(
    ({ displayType, weekday: expected, productCategory: category }) =>
      displayType === expositionType &&
      expected === day &&
      (category === null || category === undefined || productCategories.includes(category)),
  );
  const times = ofDay.map(({ protocolTime }) => protocolTime).toSorted();
  const chosen = times.findLast((start) => start <= clock) ?? times[0];
  const valid = ofDay.filter(({ protocolTime }) => protocolTime === chosen);
  const sum = valid.reduce((total, { expectedFillRatio }) => total + expectedFillRatio, 0);
  return valid.length === 0 ? undefined : sum / valid.length;
}

/** The sums over the photos of one group. */
interface Group {
  readonly key: string | null;
  photos: number;
  rates: number;
  /** The number of photos with an expectation, and the sum of the expectations. */
  expecting: number;
  expected: number;
}

/** The property with the key of a group, where it differs from the name of the grouping. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  protocol: "protocolId",
  exposition: "expositionId",
  store: "externalId",
  region: "regionId",
};

/** Returns the keys of the groups of a photo: one with several categories is in each of their groups. */
function keysOf(
  { store, protocol, time, expositionId, exposition }: Photo,
  groupBy: string,
  is: Is,
): (string | null)[] {
  switch (groupBy) {
    case "protocol":
      return [protocol.protocolId];
    case "exposition":
      return expositionId === null ? [] : [expositionId];
    case "store":
      return [store.externalId];
    case "region":
      return [store.regionId];
    case "expositionType":
      return exposition === undefined ? [] : [exposition.expositionType];
    case "day":
      return [localTime(time, is).date];
    case "week": {
      const { date, weekday } = localTime(time, is);
      const monday = Date.parse(`${date}T00:00:00.000Z`) - ((weekday + 6) % 7) * 86_400_000;
      return [new Date(monday).toISOString().slice(0, 10)];
    }
    default:
      return exposition?.productCategories ?? [];
  }
}

/** Groups photos, in the order of the keys; the group without a key is last. */
function groupsOf(parts: Iterable<readonly Photo[]>, groupBy: string, is: Is): Group[] {
  const groups = new Map<string | null, Group>();
  for (const photos of parts)
    for (const photo of photos)
      for (const key of keysOf(photo, groupBy, is)) {
        const group = groups.get(key) ?? { key, photos: 0, rates: 0, expecting: 0, expected: 0 };
        groups.set(key, group);
        group.photos += 1;
        group.rates += photo.rate;
        group.expecting += photo.expected === undefined ? 0 : 1;
        group.expected += photo.expected ?? 0;
      }
  return [...groups.values()].toSorted((a, b) => ((a.key ?? "\uffff") < (b.key ?? "\uffff") ? -1 : 1));
}

/** Returns the fill rate of a group: the arithmetic mean of its photos, 0 to 100. */
function rateOf({ rates, photos }: Group): number {
  return round(meanOf(rates, photos), 2);
}

function isBelow({ rates, photos, expected, expecting }: Group): boolean {
  return expecting > 0 && meanOf(rates, photos) < meanOf(expected, expecting);
}

/** The order of the photos must not decide, which changes the last digits of a sum. */
function meanOf(sum: number, parts: number): number {
  return round(sum / parts, 9);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
