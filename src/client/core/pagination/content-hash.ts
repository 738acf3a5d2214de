import { hash } from "../../../wire/hash.ts";
import { PaginationError } from "../errors/errors.ts";
import { sortProperties } from "./guard.ts";

/** Returns a hash of a JSON value, independent of the order of its properties. */
export function hashContent(value: unknown, label: string): number {
  try {
    return hash(JSON.stringify(value, sortProperties) ?? "");
  } catch {
    throw new PaginationError(label, "an item is nested too deeply to be compared", {});
  }
}
