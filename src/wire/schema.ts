import * as z from "zod/mini";

/*
 * The formats of the generated schemas, as lenient as the contracts name them: zod's own `email` refuses addresses in
 * use (gap contacts.email-format), and its `datetime` refuses most forms of ISO 8601 (gap date-times.forms). In a URL every
 * value is a string: `integerText`, `numberText` and `booleanText` return the integer, number or boolean.
 */

/** An integer in a URL; `schema` checks its bounds. */
export function integerText(schema: z.ZodMiniType<number, number>) {
  const digits = z.string().check(z.regex(/^-?\d+$/, "must be an integer"));
  return z.pipe(digits, z.pipe(z.transform(Number), schema));
}

/** A number in a URL; `schema` checks its bounds. */
export function numberText(schema: z.ZodMiniType<number, number>) {
  const digits = z.string().check(z.regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, "must be a number"));
  return z.pipe(digits, z.pipe(z.transform(Number), schema));
}

/** A boolean in a URL. */
export const booleanText = /* @__PURE__ */ (() =>
  z.pipe(
    z.enum(["true", "false"]),
    z.transform((text) => text === "true"),
  ))();

/** One `@` with something on both sides, and no spaces (gap contacts.email-format). */
export const email = /* @__PURE__ */ (() =>
  z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address")))();

const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const day = (dash: string) =>
  String.raw`(?:\d{4}${dash}(?:(?:0[13578]|1[02])${dash}(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)${dash}(?:0[1-9]|[12]\d|30)|02${dash}(?:0[1-9]|1\d|2[0-8]))|${leapYear}${dash}02${dash}29)`;
const time = (colon: string) =>
  String.raw`(?:(?:[01]\d|2[0-3])${colon}[0-5]\d(?:${colon}(?:[0-5]\d|60)(?:[.,]\d+)?)?|24${colon}00(?:${colon}00(?:[.,]0+)?)?)`;
const offset = String.raw`(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?`;

/** Every calendar form of an ISO 8601 date-time, extended or basic, also without an offset (gap date-times.forms). */
export const dateTime = /* @__PURE__ */ (() => {
  const [extended, basic] = [`${day("-")}[Tt]${time(":")}`, `${day("")}[Tt]${time("")}`];
  return z
    .string()
    .check(z.regex(new RegExp(`^(?:${extended}|${basic})${offset}$`), "must be an ISO 8601 date-time"));
})();

/**
 * Returns the message for an issue of a generated schema. Client and reference server use it, so that both describe the
 * same violation in the same words.
 */
export function issueMessage(issue: z.core.$ZodIssue, value: unknown): string {
  if (valueAt(value, issue.path) === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${withArticle(issue.expected)}`;
    case "too_small":
      return boundMessage(`at least ${issue.minimum}`, issue.origin);
    case "too_big":
      return boundMessage(`at most ${issue.maximum}`, issue.origin);
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_format":
      if (issue.message.startsWith("must be ")) return issue.message;
      return `must be ${issue.format === "regex" ? patternName(issue.pattern) : formatName(issue.format)}`;
    case "invalid_union":
      return unionMessage(issue);
    default:
      return "is invalid";
  }
}

/** Returns the value at a path of property names and indexes; `undefined` if it does not exist. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const values = issue.errors.flat().flatMap((inner) => (inner.code === "invalid_value" ? inner.values : []));
  return values.length === 0 ? "is invalid" : oneOf([...new Set(values)]);
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  return names.join() === "true,false" ? "must be true or false" : `must be one of ${names.join(", ")}`;
}

function withArticle(type: string): string {
  if (type === "int") return "an integer";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** Returns the message for a bound of elements, of characters or of a number. */
function boundMessage(bound: string, origin: string): string {
  if (origin === "array") return `must have ${bound} elements`;
  return origin === "string" ? `must have ${bound} characters` : `must be ${bound}`;
}

function formatName(format: string): string {
  if (format === "guid" || format === "uuid") return "a UUID";
  return `of the format ${format}`;
}

/** The meaning of the patterns in the generated schemas. */
const PATTERN_NAMES: Readonly<Record<string, string>> = {
  "/^([01]\\d|2[0-3]):[0-5]\\d$/": "a time HH:MM",
};

function patternName(pattern = ""): string {
  return PATTERN_NAMES[pattern] ?? `a string that matches ${pattern}`;
}
