import { isPersonalNumber } from "../personal-numbers.ts";
import { isObject } from "../../wire/json.ts";

/** The largest number of characters of an excerpt. */
const MAX_LENGTH = 400;

/** The number of properties or codes that are outlined: an excerpt has no room for more. */
const MAX_PROPERTIES = 100;

/** Properties whose strings are shown: error codes, scopes and enum values. */
const UNREDACTED = /^(code|version|required|available|status|inputType)$/;

/** A string that can be a code and not free text. */
const CODE = /^[A-Za-z][\w:-]{0,40}$/;

/** Returns a short form of a body without its values: names, types, codes and numbers of rows. */
export function excerptOf(json: unknown): string {
  if (json === undefined) return "";
  const text = JSON.stringify(outline("", json));
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Numbers of an operation, and not of its data: they differ in each response. */
const MEASURED = /(?:time|duration|elapsed|took|latency|age|ms|millis|seconds)$/i;

/** Whether two bodies have the same outline. Neither the order of properties counts nor what was measured. */
export function isSameOutline(first: unknown, second: unknown): boolean {
  const [text, otherText] = [first, second].map((json) => JSON.stringify(sort(outline("", json))) ?? "");
  return text?.slice(0, MAX_LENGTH) === otherText?.slice(0, MAX_LENGTH);
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, property]) => {
      const isMeasured = typeof property === "number" && MEASURED.test(name);
      return [name, isMeasured ? "(number)" : sort(property)];
    }),
  );
}

function outline(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return outlineList(name, value);
  if (isObject(value)) {
    const shown = Object.entries(value).slice(0, MAX_PROPERTIES);
    return Object.fromEntries(shown.map(([property, inner]) => [property, outline(property, inner)]));
  }
  if (typeof value === "number" && isPersonalNumber(name)) return "(number)";
  if (typeof value !== "string" || value === "") return value;
  return UNREDACTED.test(name) && CODE.test(value) ? value : "(string)";
}

function outlineList(name: string, [first, ...others]: readonly unknown[]): unknown[] {
  if (first === undefined) return [];
  if (UNREDACTED.test(name))
    return [first, ...others].slice(0, MAX_PROPERTIES).map((element) => outline(name, element));
  return others.length === 0 ? [outline(name, first)] : [outline(name, first), `… ${others.length} more`];
}
