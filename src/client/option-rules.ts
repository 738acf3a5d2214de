import { isInsecure, parseBaseUrl } from "../wire/address.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { ConfigurationError } from "./errors.ts";
import { copyArgument } from "./snapshot.ts";

/** Throws unless a condition about an option holds. Messages quote no value, which may be a secret. */
export function requireValue(message: string, holds: boolean): void {
  if (!holds) throw new ConfigurationError(message);
}

/** The end of the message "… must be …", and the check of a value. */
export type OptionRule = readonly [what: string, fits: (value: unknown) => boolean];

/** The rule of each option. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** Options that are data: later changes of the caller's objects change nothing. */
const dataOptions = new Set([
  "retry",
  "headers",
  "photoPage",
  "repeatable",
  "environments",
  "scopes",
  "templateFilters",
  "shapes",
]);

/**
 * Checks the names and values of options; undefined is no value. Returns a copy, of an object of a class with getters as well.
 * @param prefix the beginning of each message, such as `hooks: `
 */
export function readOptions<Options extends object>(
  prefix: string,
  given: Options,
  rules: OptionRules,
): Options {
  requireValue(`${prefix}the options must be an object`, isObject(given));
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${prefix}unknown option ${quoteName(unknown)}. Expected one of ${Object.keys(rules).join(", ")}`,
    );
  const own = given as JsonObject;
  const read = { ...own };
  for (const [name, [what, fits]] of Object.entries(rules)) {
    const value = own[name];
    if (value === undefined) continue;
    requireValue(`${prefix}${name} must be ${what}`, fits(value));
    read[name] = dataOptions.has(name) ? copyArgument(value) : value;
  }
  return read as Options; // with the same properties
}

/** Quotes the name of an option, unless it may be a secret that took the place of a name. */
function quoteName(name: string): string {
  return /^[A-Za-z]{1,30}$/.test(name) ? `"${name}"` : `of ${name.length} characters`;
}

/** Whether a value has the given methods. Works for values of any realm, and for functions. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => typeof (value as JsonObject | null | undefined)?.[name] === "function");
}

export const booleanRule: OptionRule = ["true or false", (value) => typeof value === "boolean"];
export const functionRule: OptionRule = ["a function", (value) => typeof value === "function"];
export const textRule: OptionRule = [
  "a non-empty string",
  (value) => typeof value === "string" && value !== "",
];
export const uncheckedRule: OptionRule = ["", () => true];

/** Returns the rule of an option that takes one of some words. */
export function oneOf(...words: readonly string[]): OptionRule {
  return [`one of ${words.join(", ")}`, (value) => words.some((word) => word === value)];
}

/** Returns the rule of an option that takes an array of some words. */
export function arrayOf(...words: readonly string[]): OptionRule {
  return [
    `an array of ${words.join(", ")}`,
    (value) => Array.isArray(value) && value.every((word) => words.includes(word as string)),
  ];
}

/** Returns the rule of an option that takes an integer. */
export function integer(minimum: number): OptionRule {
  return [`an integer of at least ${minimum}`, (value) => isCount(value, minimum)];
}

/** Whether a value is an integer of at least `minimum`. */
export function isCount(value: unknown, minimum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum;
}

/** Validates a base URL and removes its trailing slashes, so that a path can be appended. */
export function checkBaseUrl(name: string, value: unknown, allowInsecure: boolean | undefined): string {
  const url = parseBaseUrl(isObject(value) ? value["href"] : value); // a `URL`, possibly of another realm
  if (typeof url === "string") throw new ConfigurationError(`${name} ${url}`);
  requireValue(
    `${name} must be an https URL (http only for a loopback host, or with allowInsecure: true): ${url.origin}`,
    allowInsecure === true || !isInsecure(url),
  );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
