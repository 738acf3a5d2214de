import type { JsonObject } from "../../wire/json.ts";
import { requestIdOf } from "../errors.ts";
import type { WithResponse } from "../call.ts";
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
}

export function beginWalk<T>(source: ListSource<T>, controls: Controls, cancel: AbortSignal): WalkState<T> {
  return { source, controls, seen: new Seen(idReader(source.itemId, controls.identify)), cancel, idle: 0 };
}

/** Counts requests without new items. */
export function countIdle<T>(state: WalkState<T>, hasNew: boolean, last: ConstructorParameters<typeof PaginationError>[2]): void {
  state.idle = hasNew ? 0 : state.idle + 1;
  const { maxIdle } = state.controls;
  if (state.idle < maxIdle) return;
  throw new PaginationError(state.source.label, `${maxIdle} requests returned no new item (maxIdleRequests)`, last);
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
  throw source.unexpected(page, `does not fit the shape: ${listIssues(parsed.issues, "the item")}`, parsed.issues);
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
    resume: { get: () => (writeResume === undefined ? null : (token ??= writeResume())), enumerable: true },
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
