import { isUuid } from "../../../wire/uuid.ts";
import { isObject } from "../../../wire/json.ts";

/** The part of JSON Schema that shapes need. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly description?: string;
}

/** The names of properties whose values are codes, not free text. */
const CODED = /status|type|kind|state|category|weekday$/i;

/** A code: a word without spaces, in the form of enum values. */
const CODE = /^[A-Za-z][A-Za-z_]{1,40}$/;

/** The number of values that an enum needs for each different value. */
const REPEATS = 4;
const MAX_CODES = 12;

/** The number of different properties of one object that are listed; more are keys of data. */
const MAX_PROPERTIES = 1_000;

const FORMATS: readonly (readonly [format: string, pattern: Pick<RegExp, "test">])[] = [
  ["uuid", { test: isUuid }],
  ["date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["uri", /^https?:\/\//],
];

/** Counts the types and properties of values of one kind. */
export class ShapeCount {
  readonly #name: string;
  readonly #types = new Map<string, number>();
  readonly #properties = new Map<string, { seen: number; count: ShapeCount }>();
  readonly #formats = new Map<string, number>();
  /** The different codes; `undefined` after a value that is not a code. */
  #codes: Set<string> | undefined;
  #items: ShapeCount | undefined;

  constructor(name = "") {
    this.#name = name;
    this.#codes = CODED.test(name) ? new Set() : undefined;
  }

  add(value: unknown): void {
    const type = typeOf(value);
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (typeof value === "string") this.#addString(value);
    if (Array.isArray(value)) {
      this.#items ??= new ShapeCount(this.#name);
      for (const item of value) this.#items.add(item);
    }
    if (isObject(value))
      for (const [name, property] of Object.entries(value)) this.#addProperty(name, property);
  }

  #addString(value: string): void {
    const format = FORMATS.find(([, pattern]) => pattern.test(value))?.[0] ?? "";
    this.#formats.set(format, (this.#formats.get(format) ?? 0) + 1);
    if (this.#codes === undefined) return;
    if (!CODE.test(value) || this.#codes.size > MAX_CODES) this.#codes = undefined;
    else this.#codes.add(value);
  }

  #addProperty(name: string, value: unknown): void {
    if (this.#properties.size >= MAX_PROPERTIES && !this.#properties.has(name)) return;
    const property = this.#properties.get(name) ?? { seen: 0, count: new ShapeCount(name) };
    this.#properties.set(name, property);
    property.seen += 1;
    property.count.add(value);
  }

  schema(): JsonSchema {
    const types = [...this.#types.keys()].filter((type) => type !== "integer" || !this.#types.has("number"));
    const objects = this.#types.get("object") ?? 0;
    return {
      ...(types.length > 0 && { type: types.length === 1 ? (types[0] ?? "null") : types.toSorted() }),
      ...this.#stringSchema(),
      ...(objects > 0 && this.#objectSchema(objects)),
      ...(this.#items !== undefined && { items: this.#items.schema() }),
    };
  }

  #stringSchema(): JsonSchema {
    const strings = this.#types.get("string") ?? 0;
    if (strings === 0) return {};
    const [format = "", ...others] = this.#formats.keys();
    if (format !== "" && others.length === 0) return { format };
    const codes = this.#codes;
    if (codes === undefined || codes.size === 0 || strings < codes.size * REPEATS) return {};
    // null must be listed if it occurs, because an enum of strings would exclude it
    return this.#types.has("null") ? {} : { enum: [...codes].toSorted() };
  }

  #objectSchema(objects: number): JsonSchema {
    const properties = [...this.#properties];
    return {
      description: `Seen ${objects} times.`,
      properties: Object.fromEntries(properties.map(([name, { count }]) => [name, count.schema()])),
      required: properties.filter(([, { seen }]) => seen === objects).map(([name]) => name),
    };
  }
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
