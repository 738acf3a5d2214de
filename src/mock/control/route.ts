import { isObject } from "../../wire/json.ts";
import type { ReferenceServer } from "../index.ts";

/** An error with its own status. All other errors of a route have the status 400. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The properties of a body, whose values are not validated yet. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

/** Throws for an unknown property. `place` is empty for the body itself. */
export function assertNames(body: UncheckedObject, known: readonly string[], place = ""): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const names = known.length === 0 ? "Expected no properties" : `Expected ${known.join(", ")}`;
  throw new Error(`Unknown property "${unknown}"${place === "" ? "" : ` of "${place}"`}. ${names}`);
}

export function objectOf(value: unknown, place: string): UncheckedObject {
  if (isObject(value)) return value;
  throw propertyError(place, "an object", value);
}

export function stringOf(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  throw propertyError(place, "a string", value);
}

/** Returns a value that must be an integer of at least `minimum`. */
export function integerOf(value: unknown, place: string, minimum: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= minimum) return value;
  throw propertyError(
    place,
    minimum === 1 ? "a positive integer" : `an integer of at least ${minimum}`,
    value,
  );
}

export function propertyError(place: string, expected: string, value: unknown): Error {
  return new Error(`"${place}" must be ${expected}, not ${describe(value)}`);
}

/** Characters of a value in a message. */
const MAX_LENGTH = 120;

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** A request of the control API whose token, route and body were checked. */
export interface ControlRequest {
  readonly ref: ReferenceServer;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: UncheckedObject;
}

/** The body of the response to a request that created something. */
export class Created {
  readonly body: unknown;

  constructor(body: unknown) {
    this.body = body;
  }
}

/**
 * Operations of the control API by method and path below `/__ref`, with parameters in braces. Each returns the body of its
 * response, `Created` for status 201, or nothing for 204.
 */
export type ControlRoutes = Readonly<Record<string, (request: ControlRequest) => unknown>>;
