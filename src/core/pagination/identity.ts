import { ConfigurationError, type PaginationError } from "../errors/errors.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import { hash } from "./hash.ts";

/** How the items of a list are told apart. */
export interface Identity {
  /** Members that may hold the ID; the first one that is present counts. */
  members: readonly string[];
  /** Given by the caller. */
  identify?: ((item: JsonObject) => string) | undefined;
}

/** One hash for each item of a page. */
export interface ItemKeys {
  keys: number[];
  /** Whether every item has an ID. Otherwise equal items may be one or several. */
  certain: boolean;
}

/** Hashes the IDs of items; an item without an ID is hashed as a whole, whatever the order of its members. */
export function keysOf(
  items: readonly unknown[],
  { members, identify }: Identity,
  fail: (reason: string) => PaginationError,
): ItemKeys {
  let certain = true;
  const keys = items.map((item) => {
    const id = identify === undefined ? idOf(item, members) : given(identify(item as JsonObject)); // may be null at run time
    certain &&= id !== undefined;
    return hash(id ?? `content:${canonical(item, fail)}`);
  });
  return { keys, certain };
}

/** The ID of an item with the name of its member; undefined where it has none. */
export function idOf(item: unknown, members: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  for (const member of members) {
    const id = item[member];
    if (typeof id === "number" || (typeof id === "string" && id !== "")) return `${member}:${id}`;
  }
  return undefined;
}

function given(id: unknown): string {
  if (typeof id === "string" && id !== "") return `identify:${id}`;
  throw new ConfigurationError("identify must return a string that is not empty");
}

function canonical(item: unknown, fail: (reason: string) => PaginationError): string {
  try {
    return JSON.stringify(item, sortMembers);
  } catch {
    throw fail("an item is nested deeper than can be compared with others");
  }
}

function sortMembers(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
