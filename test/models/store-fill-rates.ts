/**
 * The fill rates of the store model: means of the rates of evaluated photos. The contract does not show how a
 * fill rate is computed, so only the gaps' readings have a meaning here.
 */
import type { JsonObject, ModelResponse } from "./exchange.ts";
import { calendarDay } from "./instants.ts";
import type { StoreReadings } from "./readings.ts";
import { photoInstant, protocolsOf } from "./store-reads.ts";
import type { Expectation, Exposition, Photo, Protocol, StoreRecord } from "./store-state.ts";
import { protocolId } from "./store-views.ts";
import {
  invalid,
  isWithin,
  parameter,
  type RecordCall,
  type StoreCall,
  type StoreWorld,
  success,
  timeRange,
} from "./store-world.ts";

interface Measurement {
  readonly record: StoreRecord;
  readonly protocol: Protocol;
  readonly photo: Photo;
  /** Undefined where the store no longer has it. */
  readonly exposition: Exposition | undefined;
  readonly rate: number;
  readonly at: number;
}

interface Group {
  readonly key: string | null;
  readonly measurements: Measurement[];
}

/** The measurements of a store in the range and with the protocol status that a query asks for. */
function measurementsOf(world: StoreWorld, record: StoreRecord, call: StoreCall): Measurement[] {
  const { readings } = world;
  const range = timeRange(call.query, readings);
  const status = parameter(call.query, "status") ?? "completed";
  const measured: Measurement[] = [];
  for (const protocol of protocolsOf(record, readings)) {
    if (protocol.status !== status) continue;
    for (const photo of protocol.photos) {
      const at = photoInstant(photo, protocol, readings);
      const exposition = record.expositions.find(({ expositionId }) => expositionId === photo.expositionId);
      if (photo.fillRate === null || at === null || !isWithin(at, range, world)) continue;
      measured.push({ record, protocol, photo, exposition, rate: photo.fillRate, at });
    }
  }
  return measured;
}

type KeyOf = (measurement: Measurement, readings: StoreReadings) => readonly (string | null)[];

const dayOf = ({ at }: Measurement, readings: StoreReadings) =>
  calendarDay(at, readings["time-zones.meaning"]);

/** Property name and keys of each grouping. A photo belongs to each category of its exposition. */
const storeGroupings: Readonly<Record<string, readonly [string, KeyOf]>> = {
  protocol: ["protocolId", ({ protocol }, readings) => [protocolId(protocol, readings)]],
  exposition: ["expositionId", ({ photo }) => [photo.expositionId]],
  category: ["productCategory", ({ exposition }) => exposition?.productCategories ?? []],
};

const crossGroupings: Readonly<Record<string, readonly [string, KeyOf]>> = {
  store: ["externalId", ({ record }) => [record.store.externalId]],
  region: ["regionId", ({ record }) => [record.store.regionId]],
  expositionType: ["expositionType", ({ exposition }) => (exposition ? [exposition.expositionType] : [])],
  productCategory: ["productCategory", ({ exposition }) => exposition?.productCategories ?? []],
  day: ["day", (measurement, readings) => [dayOf(measurement, readings).date]],
  week: ["week", (measurement, readings) => [dayOf(measurement, readings).week]],
};

/** Stores without a region come last. */
const sortKeyOf = ({ key }: Group): string => key ?? "\uffff";

function groupsBy(measurements: readonly Measurement[], keyOf: KeyOf, readings: StoreReadings): Group[] {
  const groups = new Map<string | null, Group>();
  for (const measurement of measurements) {
    for (const key of new Set(keyOf(measurement, readings))) {
      const group = groups.get(key) ?? { key, measurements: [] };
      group.measurements.push(measurement);
      groups.set(key, group);
    }
  }
  return [...groups.values()].toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const groupRate = (group: Group): number => mean(group.measurements.map(({ rate }) => rate));

function groupView(group: Group, property: string, readings: StoreReadings): JsonObject {
  const rate = groupRate(group);
  return {
    [property]: group.key,
    fillRate: readings["fill-rates.calculation"] === "percent" ? rate : rate / 100,
    photoCount: group.measurements.length,
  };
}

function report(
  readings: StoreReadings,
  head: JsonObject,
  groups: readonly Group[],
  property: string,
): ModelResponse {
  const elements = groups.map((group) => groupView(group, property, readings));
  return success({ ...head, [readings["fill-rates.shape"]]: elements });
}

export function storeFillRates(world: StoreWorld, call: RecordCall): ModelResponse {
  const groupBy = parameter(call.query, "groupBy") ?? "protocol";
  const [property, keyOf] = storeGroupings[groupBy] ?? [groupBy, () => []];
  const groups = groupsBy(measurementsOf(world, call.record, call), keyOf, world.readings);
  return report(world.readings, { externalId: call.path["externalId"] ?? "", groupBy }, groups, property);
}

export function expositionFillRate(world: StoreWorld, call: RecordCall): ModelResponse {
  const expositionId = call.path["expositionId"]?.toLowerCase() ?? "";
  const measured = measurementsOf(world, call.record, call);
  const own = measured.filter(({ photo }) => photo.expositionId === expositionId);
  const groups = own.length === 0 ? [] : [{ key: expositionId, measurements: own }];
  return report(world.readings, { externalId: call.path["externalId"] ?? "" }, groups, "expositionId");
}

/** The stored expectation of a measurement, or undefined. Weekdays count, times do not. */
function expectedRate({ record, exposition, at }: Measurement, readings: StoreReadings): number | undefined {
  const { weekday } = calendarDay(at, readings["time-zones.meaning"]);
  const number = readings["weekdays.first"] === "monday" ? weekday : (weekday + 1) % 7;
  const covers = ({ productCategory }: Expectation): boolean =>
    productCategory === null
      ? readings["expectations.null-category"] === "whole-display"
      : exposition?.productCategories.includes(productCategory) === true;
  const found = record.expectations.filter(
    (expectation) =>
      expectation.weekday === number &&
      expectation.displayType === exposition?.expositionType &&
      covers(expectation),
  );
  return found.length === 0 ? undefined : mean(found.map(({ expectedFillRatio }) => expectedFillRatio));
}

function isBelowExpectation(group: Group, readings: StoreReadings): boolean {
  const expected = group.measurements.flatMap((measurement) => expectedRate(measurement, readings) ?? []);
  return expected.length > 0 && groupRate(group) < mean(expected);
}

const byExposition: KeyOf = ({ photo }) => [photo.expositionId];

function ofStoresBelow(measurements: readonly Measurement[], readings: StoreReadings): Measurement[] {
  const below = new Set<StoreRecord>();
  for (const group of groupsBy(measurements, byExposition, readings)) {
    const record = group.measurements[0]?.record;
    if (record && isBelowExpectation(group, readings)) below.add(record);
  }
  return measurements.filter(({ record }) => below.has(record));
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

const withinBounds: Record<StoreReadings["fill-rates.bounds"], (rate: number, bounds: Bounds) => boolean> = {
  inclusive: (rate, { minimum, maximum }) => rate >= minimum && rate <= maximum,
  exclusive: (rate, { minimum, maximum }) => rate > minimum && rate < maximum,
  ignored: () => true,
};

/** A bound that was not sent excludes nothing. */
function boundsOf(call: StoreCall): Bounds {
  return {
    minimum: Number(parameter(call.query, "minFillRate") ?? -Infinity),
    maximum: Number(parameter(call.query, "maxFillRate") ?? Infinity),
  };
}

function selectedStores(world: StoreWorld, ids: readonly string[] | undefined): StoreRecord[] | "unknown" {
  if (!ids) return world.state.stores;
  const found = [...new Set(ids)].flatMap((id) => world.byExternalId.get(id) ?? []);
  const isComplete = ids.every((id) => world.byExternalId.has(id));
  return isComplete || world.readings["fill-rates.unknown-stores"] === "skipped" ? found : "unknown";
}

export function crossStoreFillRate(world: StoreWorld, call: StoreCall): ModelResponse {
  const { readings } = world;
  const groupBy = parameter(call.query, "groupBy") ?? "store";
  const [property, keyOf] = crossGroupings[groupBy] ?? [groupBy, () => []];
  const bounds = boundsOf(call);
  if (bounds.minimum > bounds.maximum) {
    if (readings["fill-rates.inverted-bounds"] === "reject")
      return invalid(world, "minFillRate", "is above maxFillRate");
    return report(readings, { groupBy }, [], property);
  }
  const stores = selectedStores(world, parameter(call.query, "externalIds")?.split(","));
  if (stores === "unknown") return invalid(world, "externalIds", "names an unknown store");
  const below =
    parameter(call.query, "belowExpectationOnly") === "true" && readings["fill-rates.below-expectation"];
  const all = stores.flatMap((record) => measurementsOf(world, record, call));
  const measured = below === "stores" ? ofStoresBelow(all, readings) : all;
  const groups = groupsBy(measured, keyOf, readings).filter(
    (group) =>
      withinBounds[readings["fill-rates.bounds"]](groupRate(group), bounds) &&
      (below !== "groups" || isBelowExpectation(group, readings)),
  );
  return report(readings, { groupBy }, groups, property);
}
