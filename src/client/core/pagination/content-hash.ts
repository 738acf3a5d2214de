import type { JsonObject } from "../../../wire/json.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { findJsonLoss } from "../../../wire/json-loss.ts";
import { hashJson } from "./guard.ts";

/** Returns a hash of the part of an item that counts as its content: all of it, or what a function of the caller returns. */
export function hashItem(item: unknown, fingerprint: ((item: JsonObject) => unknown) | undefined): number {
  if (fingerprint === undefined) return hashJson(item);
  // a function that deletes signed URLs deletes them in a copy; a service may send any JSON value
  const part = fingerprint(structuredClone(item) as JsonObject);
  try {
    const [loss] = part === undefined ? [{ message: "is undefined" }] : findJsonLoss(part);
    if (loss === undefined) return hashJson(part);
    throw new ConfigurationError(`fingerprint must return a JSON value: it ${loss.message}`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError(
      "fingerprint must return a JSON value: it contains itself, or is nested too deeply",
    );
  }
}
