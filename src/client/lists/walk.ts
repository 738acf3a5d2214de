import { hash } from "../../wire/hash.ts";
import { isUuid } from "../../wire/id.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { WithResponse } from "../core.ts";
import { ConfigurationError, type InvalidRequestError, PaginationError } from "../errors.ts";
import type { ReadResponse } from "../http.ts";
import { parseResponse, type Shape } from "../shape.ts";
import type { ListSource, PageResponse } from "./page.ts";
import { invalidToken, readToken, writeToken } from "./query.ts";

/** One walk of a list, or one pass of it: what its requests share. */
export class Walk<T> {
  readonly source: ListSource<T>;
  /** Returns the ID of an item as the service sent it; undefined if it has none. */
  readonly idOf: IdOf;
  /** The place of the caller's token; undefined without a token. */
  readonly place: JsonObject | undefined;
  /** The last page that was delivered, for errors. */
  last: { readonly cursor?: string | undefined; readonly page?: number } = {};
  readonly #cancel: AbortSignal;
  /** The IDs that were delivered. */
  readonly #ids = new Set<string>();
  /** The number of consecutive requests without a new item. */
  #idle = 0;
  /** Whether the page before had items, and none of them was new. */
  #isStuck = false;

  /** @throws {InvalidRequestError} for a token of another list */
  constructor(source: ListSource<T>, cancel: AbortSignal) {
    this.source = source;
    this.idOf = idReader(source);
    this.place = readToken(source);
    this.#cancel = cancel;
  }

  /** Requests a page, with changes to the query of the caller. */
  fetch(changes: JsonObject): Promise<PageResponse> {
    return this.source.fetch({ ...this.source.query, ...changes }, this.#cancel);
  }

  /** Creates the error that ends the walk. It names the last page that was delivered. */
  end(reason: string): PaginationError {
    return new PaginationError(this.source.label, reason, this.last);
  }

  /** Creates the error for a token whose place is none of this list. */
  invalidToken(): InvalidRequestError {
    return invalidToken(this.source);
  }

  /** The number of different IDs that were delivered. */
  get size(): number {
    return this.#ids.size;
  }

  /** Returns the items whose IDs are new, and adds these. An item without ID is always new. */
  takeNew(items: readonly unknown[]): readonly unknown[] {
    const fresh: unknown[] = [];
    for (const item of items) {
      const id = this.idOf(item);
      const { size } = this.#ids;
      if (id === undefined || this.#ids.add(id).size > size) fresh.push(item);
    }
    return fresh;
  }

  /** Returns the ID of each item, or its content. */
  keysOf(items: readonly unknown[]): string[] {
    return items.map((item) => this.idOf(item) ?? JSON.stringify(item));
  }

  /** Returns a hash of the IDs or contents of items, for a token. */
  hashOf(items: readonly unknown[]): string {
    return hash(JSON.stringify(this.keysOf(items))).toString(36);
  }

  /**
   * Ends a walk that does not get on: after many requests without a new item, and after two pages in a row with items that
   * were all delivered before.
   */
  requireProgress(items: readonly unknown[], newItems: readonly unknown[]): void {
    const { maxIdleRequests = 1000 } = this.source.controls;
    const isStuck = items.length > 0 && newItems.length === 0;
    if (isStuck && this.#isStuck)
      throw this.end("the server returned earlier items again: the walk would not end");
    this.#isStuck = isStuck;
    this.#idle = newItems.length > 0 ? 0 : this.#idle + 1;
    if (this.#idle >= maxIdleRequests)
      throw this.end(`${maxIdleRequests} requests returned no new item (maxIdleRequests)`);
  }

  /**
   * Completes a page: its token is written when it is read, and `withResponse` is hidden from serialization and comparison.
   * @param next the place after the page; undefined if the walk cannot be continued after it
   */
  completePage<P extends object>(
    properties: Omit<P, "resume" | "withResponse">,
    { response }: PageResponse,
    next: object | undefined,
    meta?: JsonObject,
  ): P {
    let token: string | undefined;
    const page = Object.defineProperties(properties, {
      resume: {
        get: () => (next === undefined ? null : (token ??= writeToken(this.source, next))),
        enumerable: true,
        configurable: true,
      },
      withResponse: {
        value: async (): Promise<WithResponse<P>> => {
          const requestId = response.requestId();
          return { data: page, response, requestId, ...(meta === undefined ? {} : { meta }) };
        },
      },
    }) as P; // with the two properties
    return page;
  }
}

/** Parses the items of a response with a shape; without one, an item is what the service sent. */
export async function parseItems<T>(
  response: ReadResponse,
  shape: Shape<T> | undefined,
  sent: readonly unknown[],
  place: string,
): Promise<T[]> {
  if (shape === undefined) return sent as T[]; // of the type of the contract
  return Promise.all(sent.map((item, index) => parseResponse(response, shape, item, `${place}.${index}`)));
}

/** Returns the ID of an item as the service sent it; undefined if it has none. */
export type IdOf = (item: unknown) => string | undefined;

/** Creates the function that returns IDs: of the caller's `identify`, or of the first property that has one. */
export function idReader({ itemId: properties, controls: { identify } }: ListSource<unknown>): IdOf {
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
