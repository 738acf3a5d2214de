import { largestPage } from "../../../routes.ts";
import { control } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import type { Control } from "../../experiment.ts";
import { type ExperimentTools, type RangeReader, hintOf, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { ReadOptions } from "../../service.ts";
import { photosIn } from "./data.ts";
import { instantOf, isDateTime, keysOf } from "./identity.ts";

/** Returns the instant a number of milliseconds before or after another. */
export function shiftTime(time: string, ms: number): string {
  return new Date(instantOf(time) + ms).toISOString();
}

/** Whether the ranges just around an instant, and up to 20 ms later, are in its second and on one side of its half. */
export function isInside(time: string): boolean {
  const rest = instantOf(time) % 500;
  return rest > 1 && rest < 500 - 20;
}

/** Returns the times that a protocol shows. */
export function timesIn(row: JsonObject): string[] {
  return Object.values(row).filter(isDateTime).slice(0, 3);
}

/** Returns the protocol with the fewest times, all of them inside their seconds: few ranges tell by which one it is found. */
export function simplestRow(rows: readonly JsonObject[]): JsonObject | undefined {
  const inside = rows.filter((row) => timesIn(row).length > 0 && timesIn(row).every(isInside));
  return inside.toSorted((a, b) => timesIn(a).length - timesIn(b).length)[0];
}

/** @throws {Missing} if the service is known to compare with less precision, which hides the ends of ranges */
export function requireMilliseconds(tools: ExperimentTools): void {
  if ((hintOf(tools, "time-range.precision") ?? "millisecond") === "millisecond") return;
  throw new Missing("a service that compares times with a precision of a millisecond");
}

/** The service compares with milliseconds: a range shortly after an instant does not contain what the instant has. */
export async function comparesExactly(
  read: RangeReader,
  time: string,
  keys: readonly string[],
): Promise<Control> {
  const beside = await read(shiftTime(time, 2), shiftTime(time, 20));
  const isBeside = keys.every((key) => !beside.keys.includes(key));
  return control("a range that begins 2 ms later does not contain it", isOk(beside.exchange) && isBeside);
}

/** Returns a reader of ranges of a list. It finds nothing in a range with a row that the whole list does not have. */
export function readerOf(
  tools: ExperimentTools,
  path: string,
  rows: readonly JsonObject[],
  property: string,
  options: ReadOptions = {},
): RangeReader {
  const known = new Set(keysOf(rows, property));
  return async (from, to) => {
    const exchange = await tools.ask(storeOf(tools), path, { from, to, ...largestPage(path) }, options);
    const found = path.endsWith("/photos") ? photosIn(exchange) : rowsOf(exchange);
    const keys = isOk(exchange) ? keysOf(found, property) : [];
    if (keys.some((key) => !known.has(key))) throw new Missing("a list without new rows");
    return { exchange, keys };
  };
}
