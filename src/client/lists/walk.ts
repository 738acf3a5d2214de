import { hash } from "../../wire/hash.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { InvalidRequestError, PaginationError } from "../errors.ts";
import type { WithResponse } from "../response.ts";
import type { LastPage, ListSource, PageResponse } from "./page.ts";

/** One walk of a list, or one pass of it: what its requests share. */
export class Walk<T> {
  readonly source: ListSource<T>;
  /** Ends the requests of the walk. */
  readonly cancel: AbortSignal;
  /** The place of the caller's token; undefined without a token. */
  readonly place: JsonObject | undefined;
  /** The last page that was delivered, for errors. */
  last: LastPage = {};
  /** The IDs that were delivered. */
  readonly #ids = new Set<string>();
  /** The number of consecutive requests without a new item. */
  #idle = 0;
  /** Whether the page before had items, and none of them was new. */
  #isStuck = false;

  /** @throws {InvalidRequestError} for a token of another list */
  constructor(source: ListSource<T>, cancel: AbortSignal) {
    this.source = source;
    this.cancel = cancel;
    this.place = readToken(source);
  }

  /** Creates the error that ends the walk. It names the last page that was delivered. */
  end(reason: string): PaginationError {
    return this.source.end(reason, this.last);
  }

  /** The number of different IDs that were delivered. */
  get size(): number {
    return this.#ids.size;
  }

  /** Returns the items whose IDs are new, and adds these. An item without ID is always new. */
  takeNew(items: readonly unknown[]): readonly unknown[] {
    const fresh: unknown[] = [];
    for (const item of items) {
      const id = this.source.idOf(item);
      const { size } = this.#ids;
      if (id === undefined || this.#ids.add(id).size > size) fresh.push(item);
    }
    return fresh;
  }

  /** Returns the ID of each item, or its content. */
  keysOf(items: readonly unknown[]): string[] {
    return items.map((item) => this.source.idOf(item) ?? JSON.stringify(item));
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

/** The number of passes after which a walk gives up. */
const maxPasses = 5;

/** A page, as far as passes are compared. */
interface ComparedPage {
  readonly sent: readonly unknown[];
}

/**
 * Reads a list until two consecutive passes have the same items, and then delivers the pages of the last pass. Each second
 * pass has another page size, so that a loss at the edges of pages shows.
 */
export async function* verifyPasses<T, P extends ComparedPage>(
  walk: Walk<T>,
  pass: (source: ListSource<T>) => AsyncGenerator<P, void, void>,
): AsyncGenerator<P, void, void> {
  const { source } = walk;
  let before: string | undefined;
  /** The size of the longest page, which may be less than the request asked for. */
  let longest = 0;
  for (let count = 0; count < maxPasses; count += 1) {
    // a little less than half: in 4000 random lists such pages lost other items than whole ones most often
    const other = longest > 1 ? Math.max(1, Math.floor(longest / 2) - 1) : 2;
    const query = count % 2 === 0 ? source.query : { ...source.query, limit: other };
    const pages: P[] = [];
    for await (const page of pass({ ...source, query })) {
      pages.push(page);
      longest = Math.max(longest, page.sent.length);
    }
    const keys = JSON.stringify(pages.flatMap(({ sent }) => walk.keysOf(sent)).toSorted());
    if (keys === before) {
      // a verified walk cannot be continued: its other passes are gone
      for (const page of pages)
        yield Object.defineProperty(page, "resume", { value: null, enumerable: true });
      return;
    }
    before = keys;
  }
  throw walk.end(
    `${maxPasses} passes had different items (verify): the list changes too often, or pages of different sizes lose items`,
  );
}

/** The version of the token format. It changes if tokens of another version would be misread. */
const version = 5;

/** Returns a hash of what a token belongs to: the operation, its path, its filters and the base URL. */
function hashOf({ operation, path, query, baseUrl }: ListSource<unknown>): string {
  const { cursor: _, page: __, limit: ___, ...filters } = query;
  const names = Object.keys(filters).toSorted();
  const sorted = names.map((name) => [name, filters[name]]);
  return hash(JSON.stringify([operation, path, sorted, baseUrl])).toString(36);
}

/** Writes the token of a place in a list. */
function writeToken(source: ListSource<unknown>, place: object): string {
  return JSON.stringify({ v: version, list: hashOf(source), at: place });
}

/** Creates the error for a token that is not one of this list. */
export function invalidToken(source: ListSource<unknown>): InvalidRequestError {
  return source.refuse(
    "resume",
    "must be the `resume` of a page of this list with the same filters and base URL",
  );
}

/** Reads the place of the caller's token; undefined if none was given. Nothing is sent if it is wrong. */
function readToken(source: ListSource<unknown>): JsonObject | undefined {
  const { controls, query } = source;
  const { resume, verify = false } = controls;
  if (resume === undefined) return undefined;
  if (resume === null) throw source.refuse("resume", "is null: the walk is complete");
  if ((query["cursor"] ?? query["page"]) !== undefined || verify)
    throw source.refuse("resume", "cannot be given together with `cursor`, `page` or `verify`");
  try {
    const { v, list, at } = JSON.parse(resume) as JsonObject; // anything else throws
    if (v === version && list === hashOf(source) && isObject(at)) return at;
  } catch {}
  throw invalidToken(source);
}
