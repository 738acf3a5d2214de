import type { Expectation, Exposition, JsonObject, Store } from "../../../generated/store.ts";
import { isUuid } from "../../wire/uuid.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import type { ProtocolRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { expositionOf, externalIdOf, requireStore, storedId } from "./ids.ts";
import { localTime, photoInstant, protocolInstant, timeRange, timeRangeIssues } from "./times.ts";

/** `GET /v1/stores/{externalId}/fill-rates` */
export const getStoreFillRates: Handler<StoreCall> = {
  find: requireStore,
  check: timeRangeIssues,
  run: (call) => {
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
    const isKnown = expositionOf(call, call.params.expositionId) !== undefined;
    if (!isKnown && idIssues(call).length === 0) refuseUnknown("exposition", call.is);
  },
  check: (call) => [...timeRangeIssues(call), ...idIssues(call)],
  run: (call) => {
    const externalId = externalIdOf(call);
    const expositionId = expositionOf(call, call.params.expositionId)?.expositionId;
    const photos = photosOf(call, externalId).filter((photo) => photo.expositionId === expositionId);
    const groups = groupsOf([photos], "exposition", call.is);
    return ok(bodyOf(call, { externalId, expositionId }, groups, "exposition"));
  },
};

/** `GET /v1/fill-rate` */
export const getFillRates: Handler<StoreCall> = {
  check: (call) => [...timeRangeIssues(call), ...boundIssues(call), ...unknownStoreIssues(call)],
  run: (call) => {
    const { query, is } = call;
    const { groupBy } = query;
    const isBelowOnly = query.belowExpectationOnly === true;
    // gap fill-rates.below-expectation
    const ofStores = isBelowOnly && is("fill-rates.below-expectation", "stores");
    const ofGroups = isBelowOnly && is("fill-rates.below-expectation", "groups");
    // store by store: the photos of 100 000 stores do not fit into memory
    const included = function* () {
      for (const key of selectedStores(call)) {
        const photos = photosOf(call, key);
        if (!ofStores || groupsOf([photos], "exposition", is).some(isBelow)) yield photos;
      }
    };
    const groups = groupsOf(included(), groupBy, is).filter(
      (group) => (!ofGroups || isBelow(group)) && isWithinBounds(call, rateOf(group, is)),
    );
    return ok(bodyOf(call, { groupBy }, groups, groupBy));
  },
};

/** gaps fill-rates.shape, fill-rates.calculation */
function bodyOf(call: StoreCall, head: object, groups: readonly Group[], groupBy: string): JsonObject {
  const { query, is } = call;
  const isPercent = is("fill-rates.calculation", "percent");
  const rows = groups.map((group) => {
    const percent = rateOf(group, is);
    const fillRate = percent === null || isPercent ? percent : round(percent / 100, 4);
    return { [KEY_NAMES[groupBy] ?? groupBy]: group.key, fillRate, photoCount: group.photos };
  });
  const { from, to, status } = query;
  return { ...head, from, to, status, [is("fill-rates.shape", "groups") ? "groups" : "items"]: rows };
}

/** gap fill-rates.exposition-id */
function idIssues({ params, is }: StoreCall): Issue[] {
  if (is("fill-rates.exposition-id", "not-found") || isUuid(params.expositionId)) return [];
  return [{ path: "expositionId", message: "must be a UUID", code: "invalid_format" }];
}

/** Returns the requested external IDs, each once; `undefined` for all stores. */
function requestedStores(call: StoreCall): string[] | undefined {
  const requested = (call.query.externalIds ?? "").split(",").filter((id) => id !== "");
  return requested.length === 0 ? undefined : [...new Set(requested.map((id) => storedId(call, id)))];
}

/** Skips unknown external IDs. gap fill-rates.unknown-stores */
function selectedStores(call: StoreCall): readonly string[] {
  const { stores } = call.store;
  return requestedStores(call)?.filter((key) => stores.has(key)) ?? stores.keyList();
}

/** gap fill-rates.unknown-stores */
function unknownStoreIssues(call: StoreCall): Issue[] {
  if (call.is("fill-rates.unknown-stores", "skipped")) return [];
  const unknown = (requestedStores(call) ?? []).filter((key) => !call.store.stores.has(key));
  return unknown.map((key) => ({ path: "externalIds", message: `no store has the external ID ${key}` }));
}

/** gap fill-rates.inverted-bounds */
function boundIssues(call: StoreCall): Issue[] {
  if (call.is("fill-rates.inverted-bounds", "empty") || !isInverted(call)) return [];
  return [{ path: "minFillRate", message: "must be at most maxFillRate" }];
}

function isInverted({ query: { minFillRate, maxFillRate } }: StoreCall): boolean {
  return minFillRate !== undefined && maxFillRate !== undefined && minFillRate > maxFillRate;
}

/** The bounds are 0 to 100, for any scale of the response, and compare with the shown value. gap fill-rates.bounds */
function isWithinBounds(call: StoreCall, rate: number | null): boolean {
  const { minFillRate: min = -Infinity, maxFillRate: max = Infinity } = call.query;
  if (call.is("fill-rates.bounds", "ignored")) return rate === null || !isInverted(call);
  if (rate === null) return min === -Infinity && max === Infinity;
  return call.is("fill-rates.bounds", "inclusive") ? rate >= min && rate <= max : rate > min && rate < max;
}

/** One evaluated photo, or an exposition that could have one in a protocol, with the values that it can be grouped by. */
interface Photo {
  readonly store: Store;
  readonly protocol: ProtocolRow;
  readonly time: number;
  readonly expositionId: string | null;
  /** Absent if the store no longer has the exposition. */
  readonly exposition: Exposition | undefined;
  /** 0 to 100; null without a photo. */
  readonly rate: number | null;
  /** The expected fill ratio at that time, 0 to 100; absent if there is none, or if the query does not need it. */
  readonly expected?: number | undefined;
}

/**
 * Returns the photos of a store that count: completed photos with a fill rate, in the range, of protocols with the
 * requested status. gaps fill-rates.calculation, fill-rates.disabled-expositions, fill-rates.empty-groups
 */
function photosOf(call: StoreCall, key: string): Photo[] {
  const { query, is, store: data } = call;
  const store = data.stores.read(key);
  const protocols = (data.protocols.read(key) ?? []).filter(({ status }) => status === query.status);
  if (store === undefined || protocols.length === 0) return [];
  const byId = new Map(protocols.map((protocol) => [protocol.protocolId, protocol]));
  const isInRange = timeRange(call);
  const expositions = new Map((data.expositions.read(key) ?? []).map((row) => [row.expositionId, row]));
  const expectations = query.belowExpectationOnly === true ? (data.expectations.read(key) ?? []) : [];
  const isCounted = (exposition: Exposition | undefined) =>
    is("fill-rates.disabled-expositions", "counted") || exposition?.status !== "disabled";
  const photos = (data.photos.read(key) ?? []).flatMap((photo): Photo[] => {
    const { protocolId, expositionId, status, fillRate: rate } = photo;
    const protocol = byId.get(protocolId);
    if (protocol === undefined || status !== "completed" || typeof rate !== "number") return [];
    const exposition = expositionId === null ? undefined : expositions.get(expositionId);
    const time = photoInstant(photo, protocol, is);
    if (!isInRange(time) || !isCounted(exposition)) return [];
    const expected = exposition && expectedRatio(expectations, exposition, time, is);
    return [{ store, protocol, time, expositionId, exposition, rate, expected }];
  });
  if (is("fill-rates.empty-groups", "left-out")) return photos;
  const counted = [...expositions.values()].filter(isCounted);
  const possible = protocols.flatMap((protocol) => {
    const time = protocolInstant(protocol, is);
    const ofProtocol = isInRange(time) ? counted : [];
    return ofProtocol.map((exposition): Photo => {
      return { store, protocol, time, expositionId: exposition.expositionId, exposition, rate: null };
    });
  });
  return [...photos, ...possible];
}

/**
 * Returns the mean of the expectations of an exposition at a time: those of its type, weekday and categories, with the
 * latest time of day that has passed, else with the first of that day. gaps weekdays.first, expectations.null-category
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
  const ofDay = expectations.filter(({ displayType, weekday: expected, productCategory }) => {
    const covers =
      productCategory === null || productCategory === undefined
        ? is("expectations.null-category", "whole-display")
        : productCategories.includes(productCategory);
    return displayType === expositionType && expected === day && covers;
  });
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
        count(group, photo);
      }
  return [...groups.values()].toSorted((a, b) => ((a.key ?? "\uffff") < (b.key ?? "\uffff") ? -1 : 1));
}

function count(group: Group, { rate, expected }: Photo): void {
  if (rate === null) return;
  group.photos += 1;
  group.rates += rate;
  if (expected === undefined) return;
  group.expecting += 1;
  group.expected += expected;
}

/** Returns the fill rate of a group: the arithmetic mean of its photos, 0 to 100; null or 0 without photos. gap fill-rates.empty-groups */
function rateOf({ rates, photos }: Group, is: Is): number | null {
  if (photos > 0) return round(meanOf(rates, photos), 2);
  return is("fill-rates.empty-groups", "null-rate") ? null : 0;
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
