import { isObject, type JsonObject } from "../../wire/json.ts";
import { ConfigurationError, PaginationError } from "../errors.ts";
import type { WithResponse } from "../core.ts";
import type { Controls } from "./query.ts";
import type { ListSource, PageResponse } from "./page.ts";
import { isUuid } from "../../wire/id.ts";
import { parseResponse, type Shape } from "../shape.ts";
import type { ReadResponse } from "../http.ts";

/** What all requests of one walk share. */
export interface WalkState<T> {
  readonly source: ListSource<T>;
  readonly controls: Controls;
  /** The IDs that were delivered. */
  readonly seen: Seen;
  /** The cursors that were requested or are next. */
  readonly cursors: Set<string | undefined>;
  readonly cancel: AbortSignal;
  /** The number of consecutive requests without a new item. */
  idle: number;
  /** Whether the page before had items, and none of them was new. */
  isStuck: boolean;
  /** The last page that was delivered, for errors. */
  last: { readonly cursor?: string | undefined; readonly page?: number };
}

export function beginWalk<T>(source: ListSource<T>, controls: Controls, cancel: AbortSignal): WalkState<T> {
  return {
    source,
    controls,
    seen: new Seen(idReader(source.itemId, controls.identify)),
    cursors: new Set(),
    cancel,
    idle: 0,
    isStuck: false,
    last: {},
  };
}

/** Creates the error that ends a walk. It names the last page that was delivered. */
export function endWalk({ source, last }: WalkState<unknown>, reason: string): PaginationError {
  return new PaginationError(source.label, reason, last);
}

/**
 * Ends a walk that does not get on: after many requests without a new item, after two pages in a row with items that were all
 * delivered before, and at an earlier cursor.
 */
export function requireProgress<T>(
  state: WalkState<T>,
  items: readonly unknown[],
  newItems: readonly unknown[],
  next: string | null = null,
): void {
  const { maxIdle } = state.controls;
  const isStuck = items.length > 0 && newItems.length === 0;
  if (isStuck && state.isStuck)
    throw endWalk(state, "the server returned earlier items again: the walk would not end");
  state.isStuck = isStuck;
  state.idle = newItems.length > 0 ? 0 : state.idle + 1;
  if (state.idle >= maxIdle)
    throw endWalk(state, `${maxIdle} requests returned no new item (maxIdleRequests)`);
  if (next === null) return;
  if (state.cursors.has(next))
    throw endWalk(state, "the server returned an earlier cursor again: the walk would not end");
  state.cursors.add(next);
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

/**
 * Completes a page: its token is written when it is read, and `withResponse` is hidden from serialization and comparison.
 * @param writeResume undefined if the walk cannot be continued after the page
 */
export function completePage<P extends object>(
  properties: Omit<P, "resume" | "withResponse">,
  { response }: PageResponse,
  source: ListSource<unknown>,
  writeResume: (() => string) | undefined,
  meta?: JsonObject,
): P {
  let token: string | undefined;
  const page = Object.defineProperties(properties, {
    resume: {
      get: () => (writeResume === undefined ? null : (token ??= writeResume())),
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
  takeNew(items: readonly unknown[]): readonly unknown[] {
    const fresh: unknown[] = [];
    for (const item of items) {
      const id = this.idOf(item);
      const { size } = this.#ids;
      if (id === undefined || this.#ids.add(id).size > size) fresh.push(item);
    }
    return fresh;
  }
}

/** The number of passes after which a walk gives up. */
const maxPasses = 5;

/** A page, as far as passes are compared. */
export interface ComparedPage {
  readonly sent: readonly unknown[];
}

/**
 * Reads a list until two consecutive passes have the same items, and then delivers the pages of the last pass. Each second
 * pass has another page size, so that a loss at the edges of pages shows.
 */
export async function* verifyPasses<T, P extends ComparedPage>(
  source: ListSource<T>,
  pass: (source: ListSource<T>) => AsyncGenerator<P, void, void>,
): AsyncGenerator<P, void, void> {
  const idOf = idReader(source.itemId, source.controls["identify"] as Controls["identify"]);
  const keyOf = (item: unknown): string => idOf(item) ?? JSON.stringify(item);
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
    const keys = JSON.stringify(pages.flatMap(({ sent }) => sent.map(keyOf)).toSorted());
    if (keys === before) {
      // a verified walk cannot be continued: its other passes are gone
      for (const page of pages)
        yield Object.defineProperty(page, "resume", { value: null, enumerable: true });
      return;
    }
    before = keys;
  }
  throw new PaginationError(
    source.label,
    `${maxPasses} passes had different items (verify): the list changes too often, or pages of different sizes lose items`,
  );
}
