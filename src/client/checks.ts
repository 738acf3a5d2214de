import { isObject, type JsonObject } from "../wire/json.ts";
import { describeKnownNames } from "../wire/similar-name.ts";
import { ConfigurationError } from "./errors.ts";

/** Throws unless a condition about an option holds. Messages quote no value, which may be a secret. */
export function requireValue(message: string, holds: boolean): void {
  if (!holds) throw new ConfigurationError(message);
}

/**
 * Throws for a name that is not known. The message contains the name that was probably meant.
 * @param problem the beginning of the message: `Unknown option`
 */
export function checkNames(problem: string, given: object, known: readonly string[]): void {
  if (!isObject(given))
    throw new ConfigurationError(`${problem.replace(/unknown (.*)/i, "the $1s")} must be an object`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`${problem} "${unknown}"${describeKnownNames(unknown, known)}`);
}

/** The end of the message "… must be …", and the check of a value. */
export type OptionRule = readonly [what: string, fits: (value: unknown) => boolean];

/** Checks the names and values of options; undefined is no value. */
export function checkOptions(
  problem: string,
  given: object,
  rules: Readonly<Record<string, OptionRule>>,
  place = "",
): void {
  checkNames(problem, given, Object.keys(rules));
  for (const [name, value] of Object.entries(given as JsonObject)) {
    const [what, fits] = rules[name] as OptionRule; // the names were checked
    requireValue(`${place}${name} must be ${what}`, value === undefined || fits(value));
  }
}

export function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

/** Whether a value has the given methods. Works for values of any realm, and for functions. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return names.every((name) => isFunction(Reflect.get(value, name)));
}
