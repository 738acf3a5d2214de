import { isObject } from "../../internal/json.ts";
import { isUuid } from "../../internal/uuid.ts";

/** Returns a stand-in for a text: the same text has the same one, within one log. */
export type Pseudonym = (text: string) => string;

/** Objects that describe a person: their IDs are replaced as well. */
const PERSON =
  /^(?:.*by|assigned.*|.*(?:person|user|driver|contact|employee|owner|customer|inspector|signer))$/i;

/** Numbers that say where somebody was, or how to reach them. */
const PERSONAL_NUMBER = /^(?:lat|lng|lon|latitude|longitude|phone.*|.*phone|mobile|pesel|nip|ssn|age)$/i;

/** Members whose strings are codes, IDs or positions in a list. */
const STRUCTURAL =
  /^(?:id|.*Id|.*Ids|code|version|cursor|nextCursor|groupBy|path|from|to|required|available)$/;

/** Longer strings, and those with spaces, are text. */
const SHORT = /^\S{1,200}$/;

/** Members that can hold the value of an enumeration. */
const CODED = /(?:status|type|kind|state|category|categories|weekday|time)$/i;

const CODE = /^[A-Za-z][\w ]{0,40}$|^\d\d:\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const BIRTH = /birth/i;
const NAME = /^[\w$.-]{1,64}$/;

/**
 * A body without personal data. Types, members, numbers of rows, IDs, times and the values of enumerations stay; every
 * other text is replaced by a stand-in of the same form.
 */
export function withoutPersonalData(value: unknown, pseudonym: Pseudonym): unknown {
  return replace("", value, false, pseudonym);
}

function replace(name: string, value: unknown, isPerson: boolean, pseudonym: Pseudonym): unknown {
  if (Array.isArray(value)) return value.map((one) => replace(name, one, isPerson, pseudonym));
  if (isObject(value)) {
    const isInside = isPerson || PERSON.test(name);
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [
        NAME.test(member) ? member : pseudonym(member),
        replace(member, one, isInside, pseudonym),
      ]),
    );
  }
  if (typeof value === "number") return isPerson || PERSONAL_NUMBER.test(name) ? 0 : value;
  if (typeof value !== "string" || value === "") return value;
  return isKept(name, value, isPerson) ? value : standIn(value, pseudonym);
}

/** Without the narrowing of `isUuid`, which would rule out any other string. */
function hasUuidForm(text: string): boolean {
  return isUuid(text);
}

function isKept(name: string, value: string, isPerson: boolean): boolean {
  if (TIME.test(value)) return !isPerson && !BIRTH.test(name);
  if (isPerson || PERSON.test(name.replace(/Id$/, ""))) return false;
  if (hasUuidForm(value)) return true;
  if (value.includes("@")) return false;
  return (STRUCTURAL.test(name) && SHORT.test(value)) || (CODED.test(name) && CODE.test(value));
}

/** A text of the same form, so that what it says about the service's formats stays. */
export function standIn(value: string, pseudonym: Pseudonym): string {
  const stand = pseudonym(value);
  if (hasUuidForm(value)) return stand.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  if (TIME.test(value)) return value.replaceAll(/\d/g, "0").replace(/^0000-00-00/, "2000-01-01");
  if (/^https?:\/\//i.test(value)) return `https://redacted.invalid/${stand.slice(0, 12)}`;
  if (value.includes("@")) return `${stand.slice(0, 12)}@redacted.invalid`;
  return `redacted-${stand.slice(0, 12)}`;
}
