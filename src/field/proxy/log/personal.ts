import { isPersonalNumber } from "../../personal-numbers.ts";
import { isObject } from "../../../wire/json.ts";
import { isUuid } from "../../../wire/uuid.ts";

/** Returns a stand-in for a string. Within one log the same string has the same stand-in. */
export type Pseudonym = (text: string) => string;

/** Objects that describe a person: their IDs are also replaced. */
const PERSON =
  /^(?:.*by|assigned.*|.*(?:person|user|driver|contact|employee|owner|customer|inspector|signer))$/i;

/** Properties whose strings are codes, IDs or positions in a list. */
const STRUCTURAL =
  /^(?:id|.*Id|.*Ids|code|version|cursor|nextCursor|groupBy|path|from|to|required|available)$/;

/** Longer strings, and those with spaces, are free text. */
const SHORT = /^\S{1,200}$/;

/** Properties that can contain an enum value. */
const CODED = /(?:status|type|kind|state|category|categories|weekday|time)$/i;

const CODE = /^[A-Za-z][\w ]{0,40}$|^\d\d:\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const BIRTH = /birth/i;
const NAME = /^[\w$.-]{1,64}$/;

/**
 * Returns a body without personal data. Types, properties, numbers of rows, IDs, times and enum values are kept;
 * every other text is replaced by a stand-in of the same form.
 */
export function withoutPersonalData(value: unknown, pseudonym: Pseudonym): unknown {
  return replace("", value, false, pseudonym);
}

function replace(name: string, value: unknown, isPerson: boolean, pseudonym: Pseudonym): unknown {
  if (Array.isArray(value)) return value.map((element) => replace(name, element, isPerson, pseudonym));
  if (isObject(value)) {
    const isInside = isPerson || PERSON.test(name);
    return Object.fromEntries(
      Object.entries(value).map(([property, inner]) => [
        NAME.test(property) ? property : pseudonym(property),
        replace(property, inner, isInside, pseudonym),
      ]),
    );
  }
  if (typeof value === "number") return isPerson || isPersonalNumber(name) ? 0 : value;
  if (typeof value !== "string" || value === "") return value;
  return isKept(name, value, isPerson) ? value : replaceString(value, pseudonym);
}

function isKept(name: string, value: string, isPerson: boolean): boolean {
  if (TIME.test(value)) return !isPerson && !BIRTH.test(name);
  if (isPerson || PERSON.test(name.replace(/Id$/, ""))) return false;
  if (isUuid(value)) return true;
  if (value.includes("@")) return false;
  return (STRUCTURAL.test(name) && SHORT.test(value)) || (CODED.test(name) && CODE.test(value));
}

/** Whether an ID in a path or a query is a code, and not the name or the address of a person. */
export function isPlainId(text: string): boolean {
  return isKept("id", text, false);
}

/** Returns a string of the same form, so that the log still shows the service's formats. */
export function replaceString(value: string, pseudonym: Pseudonym): string {
  const replacement = pseudonym(value);
  if (isUuid(value)) return replacement.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  if (TIME.test(value)) return value.replaceAll(/\d/g, "0").replace(/^0000-00-00/, "2000-01-01");
  if (/^https?:\/\//i.test(value)) return `https://redacted.invalid/${replacement.slice(0, 12)}`;
  if (value.includes("@")) return `${replacement.slice(0, 12)}@redacted.invalid`;
  return `redacted-${replacement.slice(0, 12)}`;
}
