import type { JsonObject } from "../../wire/json.ts";
import type { InvalidRequestError, PaginationError } from "../errors.ts";
import { isSimilarId } from "../id.ts";
import { addResponse } from "../response.ts";
import type { LastPage, ListSource, Page, PageResponse } from "./page.ts";
import { hashKey, invalidToken, readToken, writeToken } from "./token.ts";

/** The number of consecutive requests without a new item that end a walk. A page with only earlier items counts as half. */
const maxIdleRequests = 1000;

/** One walk of a list, or one pass of it: what its requests share. */
export class Walk<T> {
  readonly source: ListSource<T>;
  /** Ends the requests of the walk. */
  readonly cancel: AbortSignal;
  /** The place of the caller's token; undefined without a token. */
  readonly place: JsonObject | undefined;
  /** The last page that was delivered, for errors. */
  last: LastPage = {};
  /** The requests since the last new item, also those of earlier processes. */
  idle: number;
  /** The IDs that were delivered. */
  readonly #ids = new Set<string>();
  /** Hashes of items that an earlier process has delivered and that may come again. */
  readonly #known: ReadonlySet<string>;

  /** @throws {InvalidRequestError} for a token of another list */
  constructor(source: ListSource<T>, cancel: AbortSignal) {
    this.source = source;
    this.cancel = cancel;
    this.place = readToken(source);
    this.idle = Number(this.place?.["idle"] ?? 0);
    this.#known = new Set([...this.readHashes("known"), ...this.readHashes("first")]);
  }

  /** Creates the error that ends the walk. It names the last page that was delivered. */
  end(reason: string): PaginationError {
    return this.source.end(reason, this.last);
  }

  /** Creates the error for a token that is not one of this list. */
  invalidToken(): InvalidRequestError {
    return invalidToken(this.source);
  }

  /** Reads hashes of the token; none if it has none. */
  readHashes(name: string): string[] {
    const hashes = this.place?.[name];
    return typeof hashes === "string" && hashes !== "" ? hashes.split(" ") : [];
  }

  /** Ends the walk if a response names another list than the requested one. */
  requireSame(name: string, shown: unknown, requested: unknown): void {
    if (shown !== undefined && !isSimilarId(shown ?? "", requested ?? ""))
      throw this.end(`the response is about another list: \`${name}\` differs from the request`);
  }

  /** Returns the items whose IDs are new, and remembers them. An item without ID is always new. */
  takeNew(items: readonly unknown[]): readonly unknown[] {
    return items.filter((item) => {
      const id = this.source.idOf(item);
      if (id === undefined) return true;
      const { size } = this.#ids;
      return this.#ids.add(id).size > size && !this.#isFromBefore(id);
    });
  }

  /** Whether an item was delivered, by this walk or before its token. */
  has(item: unknown): boolean {
    const id = this.source.idOf(item);
    if (id !== undefined) return this.#ids.has(id) || this.#isFromBefore(id);
    return this.#isFromBefore(JSON.stringify(item));
  }

  #isFromBefore(key: string): boolean {
    return this.#known.size > 0 && this.#known.has(hashKey(key));
  }

  /** Returns the hash of the ID of each item, or of its content, for a token. */
  hashesOf(items: readonly unknown[]): string[] {
    return keysOf(this.source, items).map(hashKey);
  }

  /** Ends a walk that does not get on: after many requests without a new item, or two pages with only earlier items. */
  requireProgress(items: readonly unknown[], newItems: readonly unknown[]): void {
    // an item without ID is always new, but an earlier process may have delivered one with the same content
    const isKnown = (item: unknown): boolean => this.source.idOf(item) === undefined && this.has(item);
    const isRepeated = items.length > 0 && (newItems.length === 0 || items.every(isKnown));
    if (isRepeated) this.idle += maxIdleRequests / 2;
    else this.idle = newItems.length > 0 ? 0 : this.idle + 1;
    if (this.idle >= maxIdleRequests)
      throw this.end("the server returned only earlier items, or none: the walk would not end");
  }

  /**
   * Completes a page: its token is written when it is read, and `withResponse` is hidden from serialization and comparison.
   * @param next returns the place after the page; undefined if the walk cannot be continued after it
   */
  completePage<P extends Page<T, P>>(
    properties: Omit<P, "resume" | "withResponse">,
    { response, json }: PageResponse,
    next: (() => object) | undefined,
  ): P {
    let token: string | undefined;
    const page = Object.defineProperties(properties, {
      resume: {
        get: () => (next === undefined ? null : (token ??= writeToken(this.source, next()))),
        enumerable: true,
        configurable: true,
      },
      withResponse: { value: async () => addResponse(page, response, json) },
    }) as P; // with the two properties
    return page;
  }
}

/** Returns the ID of each item, or its content. */
export function keysOf({ idOf }: ListSource<unknown>, items: readonly unknown[]): string[] {
  return items.map((item) => idOf(item) ?? JSON.stringify(item));
}

/** The number of passes after which a walk gives up. */
const maxPasses = 5;

/**
 * Reads a list until two consecutive passes have the same items, and then delivers the pages of the last pass. Each second
 * pass has another page size, so that a loss at the edges of pages shows.
 */
export async function* verifyPasses<T, P extends Page<T, P>>(
  source: ListSource<T>,
  pass: (source: ListSource<T>) => AsyncGenerator<P, void, void>,
): AsyncGenerator<P, void, void> {
  let before: string | undefined;
  /** The size of the longest page, which may be less than the request asked for, and at least 6 for a list of one page. */
  let longest = 0;
  for (let count = 0; count < maxPasses; count += 1) {
    const query = count % 2 === 0 ? source.query : { ...source.query, limit: otherSize(source, longest) };
    const pages: P[] = [];
    for await (const page of pass({ ...source, query })) {
      pages.push(page);
      longest = Math.max(longest, page.sent.length);
    }
    // a short list in pages of one item would not get on where a page begins with the last item of the page before
    if (pages.length === 1 && longest > 1) longest = Math.max(longest, 6);
    const keys = JSON.stringify(pages.flatMap(({ sent }) => keysOf(source, sent)).toSorted());
    if (keys === before) {
      // a verified walk cannot be continued: its other passes are gone
      for (const page of pages)
        yield Object.defineProperty(page, "resume", { value: null, enumerable: true });
      return;
    }
    before = keys;
  }
  throw source.end(
    `${maxPasses} passes had different items (verify): the list changes too often, or pages of different sizes lose items`,
    {},
  );
}

/** Returns the page size of every second pass. */
function otherSize({ query }: ListSource<unknown>, longest: number): unknown {
  // with another size, a later page would begin elsewhere
  if (Number(query["page"] ?? 1) > 1) return query["limit"];
  // a little less than half: in 4000 random lists such pages lost other items than whole ones most often
  return longest > 1 ? Math.max(1, Math.floor(longest / 2) - 1) : 2;
}
