import type { Expectation, Exposition, Store } from "../../../../generated/store.ts";
import type { StoreContext } from "./context.ts";
import type { ProtocolRow } from "./data.ts";
import { localTime, photoInstants, protocolInstant, TimeRange } from "./time-range.ts";

/** One evaluated photo, or an exposition that could have one in a protocol, with the values that it can be grouped by. */
export interface Fact {
  readonly store: Store;
  readonly protocol: ProtocolRow;
  readonly time: number;
  readonly expositionId: string | null;
  /** Absent if the store no longer has the exposition. */
  readonly exposition: Exposition | undefined;
  /** 0 to 100; null without a photo. */
  readonly rate: number | null;
  /**
   * The expected fill ratio at that time, 0 to 100; absent if there is no expectation, or if the query does not
   * need it.
   */
  readonly expected: number | undefined;
}

/**
 * Returns the photos of a store that count: completed photos with a fill rate, in the range, of protocols with the
 * requested status. gap fill-rates.calculation
 */
export function factsOf(context: StoreContext, key: string): Fact[] {
  const { data, query } = context;
  const store = data.stores.read(key);
  if (store === undefined) return [];
  const protocols = (data.protocols.read(key) ?? []).filter(({ status }) => status === query.status);
  if (protocols.length === 0) return [];
  return joinPhotos(
    context,
    key,
    store,
    new Map(protocols.map((protocol) => [protocol.protocolId, protocol])),
  );
}

function joinPhotos(
  context: StoreContext,
  key: string,
  store: Store,
  protocols: ReadonlyMap<string, ProtocolRow>,
): Fact[] {
  const { data, query } = context;
  const range = new TimeRange(context);
  const instantOf = photoInstants(context);
  const expositions = new Map((data.expositions.read(key) ?? []).map((row) => [row.expositionId, row]));
  const expectations = query.belowExpectationOnly === true ? (data.expectations.read(key) ?? []) : [];
  const isCounted = (exposition: Exposition | undefined) =>
    context.readings["fill-rates.disabled-expositions"] === "counted" || exposition?.status !== "disabled";
  const facts = (data.photos.read(key) ?? []).flatMap((photo): Fact[] => {
    const { protocolId, expositionId, status, fillRate } = photo;
    const protocol = protocols.get(protocolId);
    if (protocol === undefined || status !== "completed" || typeof fillRate !== "number") return [];
    const exposition = expositionId === null ? undefined : expositions.get(expositionId);
    const time = instantOf(photo, protocol);
    if (!range.has(time) || !isCounted(exposition)) return [];
    const expected = exposition && expectedRatio(context, expectations, exposition, time);
    return [{ store, protocol, time, expositionId, exposition, rate: fillRate, expected }];
  });
  if (context.readings["fill-rates.empty-groups"] === "left-out") return facts;
  const empty = [...protocols.values()].flatMap((protocol) => {
    const time = protocolInstant(context, protocol);
    const counted = range.has(time) ? [...expositions.values()].filter(isCounted) : [];
    return counted.map(
      (exposition): Fact => ({
        store,
        protocol,
        time,
        expositionId: exposition.expositionId,
        exposition,
        rate: null,
        expected: undefined,
      }),
    );
  });
  return [...facts, ...empty];
}

/**
 * Returns the mean of the expectations of an exposition at a time: those of its type, weekday and categories, with the
 * latest time of day that has passed, else with the first of that day.
 */
function expectedRatio(
  context: StoreContext,
  expectations: readonly Expectation[],
  exposition: Exposition,
  time: number,
): number | undefined {
  if (expectations.length === 0) return undefined;
  const { weekday, clock } = localTime(time, context.readings);
  const day = weekdayNumber(context, weekday);
  const ofDay = expectations.filter(
    (row) =>
      row.displayType === exposition.expositionType &&
      row.weekday === day &&
      covers(context, row, exposition),
  );
  const times = ofDay.map(({ protocolTime }) => protocolTime).toSorted();
  const chosen = times.findLast((start) => start <= clock) ?? times[0];
  const valid = ofDay.filter(({ protocolTime }) => protocolTime === chosen);
  if (valid.length === 0) return undefined;
  return valid.reduce((sum, { expectedFillRatio }) => sum + expectedFillRatio, 0) / valid.length;
}

/** gap weekdays.first */
function weekdayNumber({ readings }: StoreContext, fromSunday: number): number {
  return readings["weekdays.first"] === "sunday" ? fromSunday : (fromSunday + 6) % 7;
}

/** gap expectations.null-category */
function covers(
  { readings }: StoreContext,
  { productCategory }: Expectation,
  exposition: Exposition,
): boolean {
  if (productCategory === null || productCategory === undefined)
    return readings["expectations.null-category"] === "whole-display";
  return exposition.productCategories.includes(productCategory);
}
