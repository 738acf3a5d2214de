import { findInexact } from "../../../wire/exact-numbers.ts";
import { isObject, isTooDeep, maxDepth } from "../../../wire/json.ts";
import { findJsonLoss, type JsonLoss } from "../../../wire/json-loss.ts";

/** Returns the reasons why a value of the caller is not an object that can be compared with JSON and sent. */
export function findUnsendable(value: unknown, path = ""): JsonLoss[] {
  if (!isObject(value)) return [{ path, message: "must be an object" }];
  const tooDeep = { path, message: `is nested more than ${maxDepth} levels deep` };
  return isTooDeep(value) ? [tooDeep] : [...findJsonLoss(value, path), ...findInexact(value, path)];
}

/** Returns what JSON makes of a value that is sendable. */
export function copyJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T; // the same JSON
}
