import type { JsonObject } from "../../wire/json.ts";
import { requestIdOf } from "../errors.ts";
import type { WithResponse } from "../exchange.ts";
import { PaginationError, listIssues } from "../errors.ts";
import { parseWith, type Shape } from "../shape.ts";
import { idReader, Seen } from "./identity.ts";
import type { Controls } from "./query.ts";
import type { ListSource, PageResponse } from "./source.ts";

/** What all requests of one walk share. */
export interface WalkState<T> {
  readonly source: ListSource<T>;
  readonly controls: Controls;
  /** The IDs that were delivered. */
  readonly seen: Seen;
  readonly cancel: AbortSignal;
  /** The number of consecutive requests without a new item. */
  idle: number;
  /** Whether the page before had items, and none of them was new. */
  isStuck: boolean;
}

export function beginWalk<T>(source: ListSource<T>, controls: Controls, cancel: AbortSignal): WalkState<T> {
  return {
    source,
    controls,
    seen: new Seen(idReader(source.itemId, controls.identify)),
    cancel,
    idle: 0,
    isStuck: false,
  };
}

/**
 * Ends a walk that does not get on: after many requests without a new item, and after two pages in a row with items that
 * were all delivered before.
 */
export function requireProgress<T>(
  state: WalkState<T>,
  items: readonly unknown[],
  newItems: readonly unknown[],
  last: ConstructorParameters<typeof PaginationError>[2],
): void {
  const { label } = state.source;
  const { maxIdle } = state.controls;
  const isStuck = items.length > 0 && newItems.length === 0;
  if (isStuck && state.isStuck)
    throw new PaginationError(label, "the server returned earlier items again: the walk would not end", last);
  state.isStuck = isStuck;
  state.idle = newItems.length > 0 ? 0 : state.idle + 1;
  if (state.idle >= maxIdle)
    throw new PaginationError(label, `${maxIdle} requests returned no new item (maxIdleRequests)`, last);
}

/** Returns the items after the shape of the client; without a shape, an item is what the service sent. */
export async function shapeItems<T>(
  source: ListSource<T>,
  page: PageResponse,
  sent: readonly unknown[],
  name: string,
): Promise<T[]> {
  const { shape } = source;
  if (shape === undefined) return sent as T[];
  return Promise.all(sent.map((item, index) => shapeItem(source, page, shape, item, `${name}.${index}`)));
}

async function shapeItem<T>(
  source: ListSource<T>,
  page: PageResponse,
  shape: Shape<T>,
  item: unknown,
  place: string,
): Promise<T> {
  const parsed = await parseWith(shape, item, place);
  if (parsed.issues === undefined) return parsed.value;
  throw source.unexpected(
    page,
    `does not fit the shape: ${listIssues(parsed.issues, "the item")}`,
    parsed.issues,
  );
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
  const id = requestIdOf(response.headers);
  const requestId = id === undefined ? undefined : source.redact(id);
  let token: string | undefined;
  const page = Object.defineProperties(properties, {
    resume: {
      get: () => (writeResume === undefined ? null : (token ??= writeResume())),
      enumerable: true,
      configurable: true,
    },
    withResponse: {
      value: async (): Promise<WithResponse<P>> => ({
        data: page,
        response,
        requestId,
        ...(meta === undefined ? {} : { meta }),
      }),
    },
  }) as P; // with the two properties
  return page;
}
