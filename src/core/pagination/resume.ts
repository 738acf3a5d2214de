import { InvalidRequestError } from "../errors/errors.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import { hash } from "./hash.ts";

/** Changes whenever tokens of another version would be misread. */
const version = 2;
/** Bounds the work that a token can cause. */
const longestToken = 1024 * 1024;
const mostKeys = 50_000;

/** A digest for each part of a call that decides what the list contains, by the name of that part. */
export type CallDigests = Readonly<Record<string, string>>;

/** Digests a call: tokens name what differs without holding the values. */
export function digestCall(label: string, parts: object): CallDigests {
  const digests: Record<string, string> = { operation: digest(label) };
  for (const [name, value] of Object.entries(parts)) {
    if (name === "extra" && isObject(value)) {
      for (const [key, one] of Object.entries(value)) digests[`extra.${key}`] = digest(one);
    } else if (value !== undefined) digests[name] = digest(value);
  }
  return digests;
}

/** Serializes a position of a walk. */
export function writeToken(list: CallDigests, position: object): string {
  return JSON.stringify({ v: version, list, ...position });
}

/** Parses a token of the same list; throws an `InvalidRequestError` that names what differs. */
export function readToken(label: string, token: unknown, list: CallDigests): JsonObject {
  const state = parse(token);
  if (state?.v !== version || !isObject(state.list)) throw badToken(label);
  const given = state.list;
  if (given.operation !== list.operation) throw badToken(label);
  const names = [...new Set([...Object.keys(given), ...Object.keys(list)])];
  const differing = names.filter((name) => given[name] !== list[name]);
  if (differing.length === 0) return state;
  throw badToken(
    label,
    `belongs to a list with another ${differing.map((name) => `\`${name}\``).join(", ")}`,
  );
}

export function badToken(
  label: string,
  message = "is not the `resume` of a page of this list",
): InvalidRequestError {
  return new InvalidRequestError(label, [{ path: "resume", message }]);
}

/** Whether a value from a token is a list of hashes. */
export function areKeys(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= mostKeys && value.every(Number.isSafeInteger);
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parse(token: unknown): JsonObject | undefined {
  if (typeof token !== "string" || token.length > longestToken) return undefined;
  try {
    const state: unknown = JSON.parse(token);
    return isObject(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

function digest(value: unknown): string {
  return hash(typeof value === "string" ? sameInstant(value) : JSON.stringify(value)).toString(36);
}

/** Writes an instant in one way, so that a `Date` and its string have the same digest. */
function sameInstant(value: string): string {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)$/i.test(value);
  const time = isInstant ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}
