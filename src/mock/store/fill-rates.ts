import type { Expectation, Exposition, Store } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok, refuse, type Reply } from "../server/exchange.ts";
import type { ProtocolRow } from "./data.ts";
import { instantOf, timeRange } from "./protocols.ts";
import { refuseUnknown, requireStore, rowsOf } from "./stores.ts";

/** `GET /v1/stores/{externalId}/fill-rates` */
export const getStoreFillRates: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => {
    const { externalId } = call.params;
    const { groupBy } = call.query;
    return respond(call, { externalId, groupBy }, groupBy, groupsOf(call, [externalId], groupBy));
  },
};

/** `GET /v1/stores/{externalId}/expositions/{expositionId}/fill-rate` */
export const getExpositionFillRate: Handler<StoreCall> = {
  find: (call) => void expositionOf(call),
  run: (call) => {
    const { externalId } = call.params;
    const { expositionId } = expositionOf(call);
    const groups = groupsOf(call, [externalId], "exposition").filter(({ key }) => key === expositionId);
    return respond(call, { externalId, expositionId }, "exposition", groups);
  },
};

/** Returns the exposition in the path by its UUID, ignoring case; throws a 404 if store or exposition do not exist. */
function expositionOf(call: StoreCall): Exposition {
  requireStore(call);
  const { expositionId: id } = call.params;
  const known = new Map(rowsOf(call, "expositions").map((row) => [row.expositionId.toLowerCase(), row]));
  return known.get(id.toLowerCase()) ?? refuseUnknown("exposition", id, known);
}

/** `GET /v1/fill-rate` */
export const getFillRates: Handler<StoreCall> = {
  run: (call) => {
    const { groupBy, belowExpectationOnly, minFillRate = -Infinity, maxFillRate = Infinity } = call.query;
    if (minFillRate > maxFillRate) refuse("minFillRate", "must be at most maxFillRate");
    const groups = groupsOf(call, selectedStores(call), groupBy).filter((group) => {
      const rate = rateOf(group);
      const isBelow = group.expecting > 0 && rate < round(group.expected / group.expecting, 2);
      return (belowExpectationOnly !== true || isBelow) && rate >= minFillRate && rate <= maxFillRate;
    });
    return respond(call, { groupBy }, groupBy, groups);
  },
};

/** Returns the external IDs in the query parameter of several. */
export function requestedStores(externalIds: unknown): string[] {
  return typeof externalIds === "string" ? externalIds.split(",").filter((id) => id !== "") : [];
}

/** Returns the external IDs of the requested stores, each once, and skips unknown ones; all stores without a request. */
function selectedStores({ query, store: { stores } }: StoreCall): readonly string[] {
  const requested = requestedStores(query.externalIds);
  return requested.length === 0 ? stores.keyList() : [...new Set(requested)].filter((id) => stores.has(id));
}

/** gaps fill-rates.shape, fill-rates.calculation */
function respond({ query, is }: StoreCall, head: object, groupBy: string, groups: readonly Group[]): Reply {
  const [property = groupBy] = groupings[groupBy] ?? [];
  const isPercent = is("fill-rates.calculation", "percent");
  const rows = groups.map((group) => ({
    [property]: group.key,
    fillRate: isPercent ? rateOf(group) : round(rateOf(group) / 100, 4),
    photoCount: group.photos,
  }));
  const { from, to, status } = query;
  return ok({ ...head, from, to, status, [is("fill-rates.shape", "groups") ? "groups" : "items"]: rows });
}

/** An evaluated photo, with what it can be grouped by. */
interface Photo {
  readonly store: Store | undefined;
  readonly protocol: ProtocolRow;
  readonly time: number;
  readonly expositionId: string | null;
  /** Absent if the store no longer has the exposition. */
  readonly exposition: Exposition | undefined;
  /** 0 to 100. */
  readonly fillRate: number;
  /** The expected fill ratio, 0 to 100; absent if the store has none, or the query does not ask for it. */
  readonly expected: number | undefined;
}

/** Returns the keys of the groups of a photo: one with several categories is in each of their groups. */
type KeysOf = (photo: Photo) => readonly (string | null)[];

const categoriesOf: KeysOf = ({ exposition }) => exposition?.productCategories ?? [];

/** The groupings: the property of a group with its key, and the keys of a photo. */
const groupings: Readonly<Record<string, readonly [property: string, keysOf: KeysOf]>> = {
  protocol: ["protocolId", ({ protocol }) => [protocol.protocolId]],
  exposition: ["expositionId", ({ expositionId }) => (expositionId === null ? [] : [expositionId])],
  category: ["category", categoriesOf],
  store: ["externalId", ({ store }) => [store?.externalId ?? null]],
  region: ["regionId", ({ store }) => [store?.regionId ?? null]],
  expositionType: ["expositionType", ({ exposition }) => (exposition ? [exposition.expositionType] : [])],
  productCategory: ["productCategory", categoriesOf],
  day: ["day", ({ time }) => [dateOf(time)]],
  // the date of its Monday
  week: ["week", ({ time }) => [dateOf(time - ((new Date(time).getUTCDay() + 6) % 7) * 86_400_000)]],
};

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
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

/** Groups the photos of stores, in the order of the keys; the group without a key is last. */
function groupsOf(call: StoreCall, externalIds: readonly string[], groupBy: string): Group[] {
  const [, keysOf = () => []] = groupings[groupBy] ?? [];
  const groups = new Map<string | null, Group>();
  for (const photo of photosOf(call, externalIds))
    for (const key of keysOf(photo)) {
      const group = groups.get(key) ?? { key, photos: 0, rates: 0, expecting: 0, expected: 0 };
      groups.set(key, group);
      group.photos += 1;
      group.rates += photo.fillRate;
      group.expecting += photo.expected === undefined ? 0 : 1;
      group.expected += photo.expected ?? 0;
    }
  return [...groups.values()].toSorted((a, b) => ((a.key ?? "\uffff") < (b.key ?? "\uffff") ? -1 : 1));
}

/** Returns the photos that count: completed photos with a fill rate, in the range, of protocols with the status. */
function* photosOf(call: StoreCall, externalIds: readonly string[]): Generator<Photo> {
  const { query, is, store: data } = call;
  const isInRange = timeRange(call);
  // `read` keeps nothing: the photos of 100 000 stores do not fit into memory
  for (const id of externalIds) {
    const store = data.stores.read(id);
    const protocols = new Map((data.protocols.read(id) ?? []).map((row) => [row.protocolId, row]));
    const expositions = new Map((data.expositions.read(id) ?? []).map((row) => [row.expositionId, row]));
    const expectations = query.belowExpectationOnly === true ? (data.expectations.read(id) ?? []) : [];
    for (const { protocolId, expositionId, status, fillRate } of data.photos.read(id) ?? []) {
      const protocol = protocols.get(protocolId);
      const exposition = expositions.get(expositionId ?? "");
      if (protocol === undefined || protocol.status !== query.status || status !== "completed") continue;
      const time = instantOf(protocol, is);
      if (typeof fillRate !== "number" || !isInRange(time)) continue;
      const expected = expectedRatio(expectations, exposition, time);
      yield { store, protocol, time, expositionId, exposition, fillRate, expected };
    }
  }
}

/** Returns the mean of the expectations of an exposition on a day: those of its type and categories. gap weekdays.first */
function expectedRatio(
  expectations: readonly Expectation[],
  exposition: Exposition | undefined,
  time: number,
): number | undefined {
  const weekday = new Date(time).getUTCDay();
  const valid = expectations.filter(
    ({ displayType, weekday: expected, productCategory: category }) =>
      displayType === exposition?.expositionType &&
      expected === weekday &&
      (category === null || category === undefined || exposition.productCategories.includes(category)),
  );
  const sum = valid.reduce((total, { expectedFillRatio }) => total + expectedFillRatio, 0);
  return valid.length === 0 ? undefined : sum / valid.length;
}

/** Returns the fill rate of a group: the arithmetic mean of its photos, 0 to 100. */
function rateOf({ rates, photos }: Group): number {
  return round(rates / photos, 2);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
