import { isObject } from "../../wire/json.ts";
import { isUuid } from "../../wire/uuid.ts";

/** The types of values at each place of a JSON value. A place has `*` for the index of an array. */
export type Outline = ReadonlyMap<string, ReadonlySet<string>>;

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Properties that contain a rate: its scale is compared separately. */
const RATE = /(?:rate|ratio|percent)$/i;

/** Returns the outline of a body. */
export function outlineOf(json: unknown): Outline {
  const outline = new Map<string, Set<string>>();
  const numbers = new Map<string, number[]>();
  add("", json);
  for (const [place, values] of numbers) {
    const kinds = outline.get(place);
    const isFraction = values.some((value) => value > 0) && values.every((value) => value <= 1);
    kinds?.add(isFraction ? "a number up to 1" : "a number");
  }
  return outline;

  function add(place: string, value: unknown): void {
    const kinds = outline.get(place) ?? new Set();
    outline.set(place, kinds);
    if (typeof value === "number" && RATE.test(place)) {
      const values = numbers.get(place) ?? [];
      values.push(value);
      numbers.set(place, values);
      return;
    }
    kinds.add(kindOf(value));
    if (Array.isArray(value)) for (const inner of value) add(`${place}/*`, inner);
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) add(`${place}/${name}`, inner);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value !== "string") return `a ${typeof value}`;
  if (value === "") return "an empty string";
  if (DATE_TIME.test(value)) return OFFSET.test(value) ? "a date-time" : "a date-time without offset";
  if (DATE.test(value)) return "a date";
  return isUuid(value) ? "a UUID" : "a string";
}
