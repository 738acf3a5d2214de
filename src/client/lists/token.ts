import { hash } from "../../wire/hash.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { InvalidRequestError } from "../errors.ts";
import type { ListSource } from "./page.ts";

/** The version of the token format. It changes if tokens of another version would be misread. */
const version = 6;

/** Hashes an ID, or the content of an item without one, for a token. */
export function hashKey(key: string): string {
  return hash(key).toString(36);
}

/** Returns a hash of what a token belongs to: the operation, its path, its filters and the base URL. */
function hashList({ operation, path, query, baseUrl }: ListSource<unknown>): string {
  const { cursor: _, page: __, limit: ___, ...filters } = query;
  const names = Object.keys(filters).toSorted();
  const sorted = names.map((name) => [name, filters[name]]);
  return hashKey(JSON.stringify([operation, path, sorted, baseUrl]));
}

/** Writes the token of a place in a list. */
export function writeToken(source: ListSource<unknown>, place: object): string {
  return JSON.stringify({ v: version, list: hashList(source), at: place });
}

/** Creates the error for a token that is not one of this list. */
export function invalidToken(source: ListSource<unknown>): InvalidRequestError {
  return source.refuse(
    "resume",
    "must be the `resume` of a page of this list with the same filters and base URL",
  );
}

/** Reads the place of the caller's token; undefined if none was given. Nothing is sent if it is wrong. */
export function readToken(source: ListSource<unknown>): JsonObject | undefined {
  const { controls, query } = source;
  const { resume, verify = false } = controls;
  if (typeof verify !== "boolean") throw source.refuse("verify", "must be true or false");
  if (resume === undefined) return undefined;
  if (resume === null) throw source.refuse("resume", "is null: the walk is complete");
  if ((query["cursor"] ?? query["page"]) !== undefined || verify)
    throw source.refuse("resume", "cannot be given together with `cursor`, `page` or `verify`");
  try {
    const { v, list, at } = JSON.parse(resume) as JsonObject; // anything else throws
    if (v === version && list === hashList(source) && isObject(at)) return at;
  } catch {}
  throw invalidToken(source);
}
