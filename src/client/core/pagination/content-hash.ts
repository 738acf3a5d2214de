import { hash } from "../../../wire/hash.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { PaginationError } from "../errors/response-errors.ts";
import { findJsonLoss } from "../../../wire/json-loss.ts";
import { sortProperties } from "./guard.ts";

/** Returns a hash of the part of an item that counts as its content: all of it, or what a function of the caller returns. */
export function hashItem(
  item: unknown,
  fingerprint: ((item: JsonObject) => unknown) | undefined,
  label: string,
): number {
  if (fingerprint === undefined) return hashContent(item, label);
  const part = fingerprint(item as JsonObject); // a service may send any JSON value
  const [loss] = part === undefined ? [{ message: "is undefined" }] : findJsonLoss(part);
  if (loss === undefined) return hashContent(part, label);
  throw new ConfigurationError(`fingerprint must return a JSON value: it ${loss.message}`);
}

/** Returns a hash of a JSON value, independent of the order of its properties. */
function hashContent(value: unknown, label: string): number {
  try {
    return hash(JSON.stringify(value, sortProperties) ?? "");
  } catch {
    throw new PaginationError(label, "an item is nested too deeply to be compared", {});
  }
}
