import { isObject, type JsonObject } from "../../wire/json.ts";
import { isUuid } from "../../wire/uuid.ts";
import { ConfigurationError } from "../errors.ts";

/** Returns the ID of an item as the service sent it; undefined if it has none. */
export type IdOf = (item: unknown) => string | undefined;

/** Creates the function that returns IDs: of the caller's `identify`, or of the first property that has one. */
export function idReader(
  properties: readonly string[],
  identify: ((item: JsonObject) => unknown) | undefined,
): IdOf {
  return (item) => {
    if (!isObject(item)) return undefined;
    if (identify !== undefined) {
      const id = identify(item);
      if (typeof id === "string" && id !== "") return id;
      throw new ConfigurationError("identify must return a non-empty string");
    }
    for (const property of properties) {
      const id = item[property];
      if (typeof id === "string" && id !== "") return isUuid(id) ? id.toLowerCase() : id; // either case is the same UUID
      // beyond 2^53 `JSON.parse` returns the same number for different ones
      if (Number.isSafeInteger(id)) return String(id);
    }
    return undefined;
  };
}

/** The IDs that a walk has delivered. */
export class Seen {
  readonly #ids = new Set<string>();
  readonly idOf: IdOf;

  constructor(idOf: IdOf) {
    this.idOf = idOf;
  }

  /** The number of different IDs. */
  get size(): number {
    return this.#ids.size;
  }

  /** Returns the items whose IDs are new, and adds these. An item without ID is always new. */
  takeNew(items: readonly unknown[]): unknown[] {
    return items.filter((item) => {
      const id = this.idOf(item);
      if (id === undefined) return true;
      const { size } = this.#ids;
      return this.#ids.add(id).size > size;
    });
  }
}
