/** The properties of a body, whose values are not validated yet. */
export type Members = Readonly<Record<string, unknown>>;

/** Throws for an unknown property. `place` is empty for the body itself. */
export function assertNames(members: Members, known: readonly string[], place = ""): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const names = known.length === 0 ? "Expected no properties" : `Expected ${known.join(", ")}`;
  throw new Error(`Unknown property "${unknown}"${place === "" ? "" : ` of "${place}"`}. ${names}`);
}

/** Returns a value that must be an object. */
export function objectOf(value: unknown, place: string): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw wrong(place, "an object", value);
}

/** Returns a value that must be a string. */
export function stringOf(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  throw wrong(place, "a string", value);
}

/** Returns a value that must be an integer of at least `least`. */
export function integerOf(value: unknown, place: string, least: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw wrong(place, least === 1 ? "a positive integer" : `an integer of at least ${least}`, value);
}

/** Returns the error for a property with a wrong value. */
export function wrong(place: string, expected: string, value: unknown): Error {
  return new Error(`"${place}" must be ${expected}, not ${describe(value)}`);
}

/** Characters of a value in a message. */
const LONGEST = 120;

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
