import { hash } from "../../wire/hash.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { InvalidRequestError } from "../errors.ts";
import type { ListSource } from "./source.ts";

/** The version of the token format. It changes if tokens of another version would be misread. */
const version = 4;

/** A token is short; this only limits the work that a wrong one can cause. */
const maxLength = 100_000;

/** Returns a short text that is equal for objects with equal properties. */
function digest(value: object): string {
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash(JSON.stringify(entries)).toString(36);
}

/** What a token says about its list, by the words of an error about a difference. */
function describe({ operation, path, query, baseUrl = "" }: ListSource<unknown>): Record<string, unknown> {
  const { cursor: _, page: __, limit: ___, ...filters } = query;
  return { operation, path: digest(path), filter: digest(filters), "base URL": hash(baseUrl).toString(36) };
}

/** Writes the token of a position in a list. */
export function writeToken(source: ListSource<unknown>, position: object): string {
  return JSON.stringify({ v: version, list: describe(source), at: position });
}

/** Reads the position of a token of the same list; undefined if no token was given. */
export function readToken(source: ListSource<unknown>, token: unknown): JsonObject | undefined {
  if (token === undefined) return undefined;
  const refuse = (message: string): InvalidRequestError =>
    new InvalidRequestError(source.label, [{ path: "resume", message }]);
  const bad = refuse("must be the `resume` of a page of this list");
  let json: unknown;
  try {
    json = typeof token === "string" && token.length <= maxLength ? JSON.parse(token) : undefined;
  } catch {
    throw bad;
  }
  if (!isObject(json) || json["v"] !== version || !isObject(json["list"]) || !isObject(json["at"])) throw bad;
  for (const [name, value] of Object.entries(describe(source)))
    if (json["list"][name] !== value)
      throw name === "operation" ? bad : refuse(`belongs to a list with another ${name}`);
  return json["at"];
}
