import { isSendableSecret } from "../wire/header-text.ts";
import { HOST_NAME_EXPECTED, isHostName } from "../wire/host-guard.ts";
import { UsageError } from "./failure.ts";
import type { Given } from "./given-values.ts";

/** @throws {UsageError} for a string that a header cannot contain; it is not quoted */
export function headerText(given: Given | undefined): string | undefined {
  if (given === undefined || isSendableSecret(stringOf(given))) return textValue(given);
  throw new UsageError(`${given.source} must be a string of visible characters that a header can contain`);
}

/** Reads an integer in a range; undefined if it is not given. */
export function integer(given: Given | undefined, minimum: number, maximum: number): number | undefined {
  if (given === undefined) return undefined;
  const digits = stringOf(given);
  const value = Number(digits);
  if (/^-?\d+$/.test(digits) && value >= minimum && value <= maximum) return value;
  const range = maximum === Number.MAX_SAFE_INTEGER ? "" : ` from ${minimum} to ${maximum}`;
  throw new UsageError(`${given.source} must be an integer${range}, not "${digits}"`);
}

/** Reads a positive number; undefined if it is not given. */
export function decimal(given: Given | undefined): number | undefined {
  if (given === undefined) return undefined;
  const digits = stringOf(given);
  if (/^\d+(\.\d+)?$/.test(digits) && Number(digits) > 0) return Number(digits);
  throw new UsageError(`${given.source} must be a positive number, not "${digits}"`);
}

/** Reads a non-empty string; undefined if it is not given. */
export function textValue(given: Given | undefined): string | undefined {
  return given === undefined ? undefined : requireNonEmpty(given.source, stringOf(given));
}

/** Returns names that the header `Host` can have. */
export function hostNames(source: string, names: readonly string[]): string[] {
  const wrong = names.find((name) => !isHostName(name));
  if (wrong === undefined) return [...names];
  throw new UsageError(`${source} ${HOST_NAME_EXPECTED}, not "${wrong}"`);
}

/** Returns the string of a value; only lists and switches have no string. */
function stringOf({ value }: Given): string {
  return typeof value === "string" ? value : "";
}

/** Returns a non-empty string. */
export function requireNonEmpty(source: string, value: string | undefined): string | undefined {
  if (value === "") throw new UsageError(`${source} must not be empty`);
  return value;
}
