import type { JsonObject } from "../../../../wire/json.ts";

/** The properties that may be the ID of a protocol, and of a photo. */
export const PROTOCOL_IDS = ["protocolId", "id"] as const;
export const PHOTO_IDS = ["photoId", "id", "imageId"] as const;

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

export function isDateTime(value: unknown): value is string {
  return typeof value === "string" && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
}

const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;

export function hasOffset(time: string): boolean {
  return OFFSET.test(time);
}

/** Returns a date-time in milliseconds; without an offset it is UTC. */
export function instantOf(time: string): number {
  return Date.parse(hasOffset(time) ? time : `${time}Z`);
}

/**
 * Returns the name of a property that distinguishes rows: an ID, or otherwise a time. Other properties may change
 * between reads.
 */
export function findUniqueProperty(
  rows: readonly JsonObject[],
  preferred: readonly string[],
): string | undefined {
  const shared = sharedProperties(rows);
  const ids = shared.filter(
    (name) => /id$/i.test(name) && !/^(external|store|protocol|exposition)Id$/.test(name),
  );
  const times = shared.filter((name) => rows.every((row) => isDateTime(row[name])));
  return [...preferred, ...ids, ...times].find((name) => isUnique(rows, name));
}

/** Returns the properties that contain a time in each row. */
export function timeProperties(rows: readonly JsonObject[]): string[] {
  return sharedProperties(rows).filter((name) => rows.every((row) => isDateTime(row[name])));
}

/** Returns a property that distinguishes all rows, or otherwise a time. */
export function findLabelProperty(
  rows: readonly JsonObject[],
  preferred: readonly string[],
): string | undefined {
  return findUniqueProperty(rows, preferred) ?? timeProperties(rows)[0];
}

function sharedProperties(rows: readonly JsonObject[]): string[] {
  const [first, ...others] = rows;
  return Object.keys(first ?? {}).filter((name) => others.every((row) => Object.hasOwn(row, name)));
}

function isUnique(rows: readonly JsonObject[], name: string): boolean {
  const values = rows.map((row) => row[name]);
  return values.every((value) => typeof value === "string") && new Set(values).size === rows.length;
}

/** Whether a response has the UUID of a request. A service may write UUIDs in capitals. */
export function isSameUuid(returned: unknown, sent: string): boolean {
  return typeof returned === "string" && returned.toLowerCase() === sent.toLowerCase();
}

/** Returns the values of one property. */
export function keysOf(rows: readonly JsonObject[], property: string): string[] {
  return rows.map((row) => String(row[property]));
}

/** The order of the values of a time in rows. */
export interface TimeOrder {
  readonly name: string;
  readonly direction: "rising" | "falling" | "none";
}

/** Returns the order of each time that has enough different values: few are in order by chance. */
export function timeOrders(rows: readonly JsonObject[], minimum: number): TimeOrder[] {
  return timeProperties(rows).flatMap((name): TimeOrder[] => {
    const times = keysOf(rows, name).map(instantOf);
    if (new Set(times).size < minimum) return [];
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    if (steps.every((step) => step >= 0)) return [{ name, direction: "rising" }];
    return [{ name, direction: steps.every((step) => step <= 0) ? "falling" : "none" }];
  });
}

/** Returns the first time by which rows are sorted, if all such times have one direction. */
export function sortingTime(rows: readonly JsonObject[], minimum: number): TimeOrder | undefined {
  const sorted = timeOrders(rows, minimum).filter(({ direction }) => direction !== "none");
  return sorted.every(({ direction }) => direction === sorted[0]?.direction) ? sorted[0] : undefined;
}
