export type Json = null | boolean | number | string | Json[] | { [property: string]: Json };

/** Strings that often break parsers. */
const unusualValues: Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  9007199254740992,
  "",
  " ",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "Infinity",
  "..",
  "%2e",
  "\ufeff",
  "<html>",
  [],
  {},
  [[]],
  [null],
  [{}],
  { code: {} },
  { message: [] },
  { then: "x" },
  { toJSON: 1 },
  { length: -1 },
  "x".repeat(3000),
];
const unusualStrings = [
  "\u0000",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\ufeff",
  "\ud83d",
  "e99",
  "-",
  "\n",
  "</",
  "%",
  "\u2028",
];

/** Random and mutated inputs, the same for the same seed. */
export class Mutator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below the given one. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T; // the index is in range
  }

  /** A valid string, or one with one or several changes. */
  body(valid: readonly Json[]): string {
    const value = this.value(this.pick(valid));
    return this.below(3) === 0 ? this.text(JSON.stringify(value)) : JSON.stringify(value);
  }

  /** A value with parts that are odd, missing, repeated or renamed. */
  value(valid: Json): Json {
    let value = valid;
    for (let round = this.below(4); round > 0; round--) value = this.#changed(value);
    return value;
  }

  /** A string with characters removed, repeated or replaced. */
  text(valid: string): string {
    let text = valid;
    for (let round = this.below(5); round > 0; round--) {
      const at = this.below(text.length + 1);
      const end = at + this.below(8);
      const between = this.pick([
        this.pick(unusualStrings),
        text.slice(at, end).repeat(2),
        "",
        String.fromCharCode(this.below(65536)),
      ]);
      text = text.slice(0, at) + between + text.slice(this.pick([at, end, text.length]));
    }
    return text;
  }

  /** Random characters. */
  noise(longest: number): string {
    return Array.from({ length: this.below(longest) }, () =>
      String.fromCharCode(this.below(this.pick([128, 256, 65536]))),
    ).join("");
  }

  #changed(value: Json): Json {
    if (this.below(4) === 0 || typeof value !== "object" || value === null) return this.pick(unusualValues);
    if (Array.isArray(value)) return this.#changedList(value);
    const entries = Object.entries(value);
    if (entries.length === 0) return { [this.#name()]: this.pick(unusualValues) };
    const [name, property] = this.pick(entries);
    const rest = entries.filter(([one]) => one !== name);
    const changed = this.pick([
      [[name, this.#changed(property)], ...rest],
      rest,
      [[this.#name(), property], ...rest],
      [...entries, [this.#name(), this.pick(unusualValues)]],
    ] as [string, Json][][]);
    return Object.fromEntries(changed);
  }

  #changedList(list: Json[]): Json {
    if (list.length === 0) return [this.pick(unusualValues)];
    const at = this.below(list.length);
    const changed = list.with(at, this.#changed(list[at] as Json)); // the index is in range
    return this.pick([changed, list.toSpliced(at, 1), [...list, ...list], { 0: list }]);
  }

  #name(): string {
    return this.pick([
      "code",
      "message",
      "errors",
      "data",
      "items",
      "__proto__",
      "",
      "toJSON",
      "nextCursor",
      "0",
      "\u0000",
    ]);
  }
}
