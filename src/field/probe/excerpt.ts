import { isObject } from "./json.ts";

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

function outline(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return outlineList(name, value);
  if (isObject(value)) {
    const shown = Object.entries(value).slice(0, MAX_PROPERTIES);
    return Object.fromEntries(shown.map(([property, one]) => [property, outline(property, one)]));
  }
  if (typeof value !== "string" || value === "") return value;
  return UNREDACTED.test(name) && CODE.test(value) ? value : "(string)";
}

function outlineList(name: string, [first, ...others]: readonly unknown[]): unknown[] {
  if (first === undefined) return [];
  if (UNREDACTED.test(name))
    return [first, ...others].slice(0, MAX_PROPERTIES).map((one) => outline(name, one));
  return others.length === 0 ? [outline(name, first)] : [outline(name, first), `… ${others.length} more`];
}
