import type { Store } from "../../../../generated/store.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import { type SeededMap, firstAtLeast } from "../../seed/seeded-map.ts";
import type { StoreContext } from "./context.ts";
import { invalidCursor } from "./errors.ts";
import type { CursorPage } from "./faulty-pages.ts";
import { rowsOfWalk } from "./timeline.ts";

/** A store of a page: most stores are already serialized, because an earlier page needed them. */
export interface StoreRow {
  /** The external ID; `null` for a store without one. */
  readonly externalId: string | null;
  readonly json: string;
}

/** Returns a page of stores in the order of their external IDs. */
export function storePage(
  context: StoreContext,
  cursor: string | undefined,
): CursorPage<StoreRow> | ApiResponse {
  if (context.readings["lists.store-order"] !== "fixed") return arrangedPage(context, cursor);
  const walk = new StoreWalk(context, cursor);
  if (walk.isRejected) return invalidCursor(context.readings);
  const items = walk.take(context.query.limit); // the schema sets the default
  return { items, nextCursor: nextCursor(context, walk.peek(), items, cursor) };
}

/** Returns a page of stores by name, or of the stores at the time of the first page. gap lists.store-order */
function arrangedPage(context: StoreContext, cursor: string | undefined): CursorPage<StoreRow> | ApiResponse {
  const { query, readings } = context;
  const rows = rowsOfWalk(context, "stores", cursor, () => arrangedRows(context));
  const index = rows.findIndex(({ externalId }) => externalId === cursor);
  if (cursor !== undefined && index === -1 && readings["stores.unknown-cursor"] === "reject")
    return invalidCursor(readings);
  const start =
    cursor === undefined
      ? 0
      : index === -1
        ? unknownStart(context, rows, cursor)
        : index + (readings["stores.cursor-start"] === "at" ? 0 : 1);
  const end = start + query.limit; // the schema sets the default
  const areUnnamed = rows.slice(end).every(({ externalId }) => externalId === null);
  const isLast = areUnnamed && readings["stores.null-cursor"] === "last-page";
  const items = rows.slice(start, isLast ? undefined : end);
  return { items, nextCursor: nextCursor(context, isLast ? undefined : rows[end], items, cursor) };
}

/** Only a list in the order of the IDs has a place for an unknown one. gaps stores.unknown-cursor, lists.store-order */
function unknownStart({ readings }: StoreContext, rows: readonly StoreRow[], cursor: string): number {
  const isOrdered = readings["lists.store-order"] === "snapshot";
  if (!isOrdered || readings["stores.unknown-cursor"] === "empty") return rows.length;
  const next = rows.findIndex(({ externalId }) => externalId !== null && externalId > cursor);
  return next === -1 ? rows.length : next;
}

function arrangedRows(context: StoreContext): StoreRow[] {
  const rows = new StoreWalk(context, undefined).take(Infinity);
  if (context.readings["lists.store-order"] !== "changing") return rows;
  const nameOf = ({ externalId }: StoreRow) =>
    externalId === null ? "\uffff" : String(context.data.stores.read(externalId)?.name);
  return rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
}

/** gaps stores.cursor-start, stores.null-cursor */
function nextCursor(
  { readings }: StoreContext,
  next: StoreRow | undefined,
  items: readonly StoreRow[],
  cursor: string | undefined,
): string | null {
  if (next === undefined) return null;
  const marker = readings["stores.cursor-start"] === "at" ? next : items.at(-1);
  if (typeof marker?.externalId === "string") return marker.externalId;
  if (readings["stores.null-cursor"] !== "last-not-null") return null;
  return items.findLast(({ externalId }) => externalId !== null)?.externalId ?? cursor ?? null;
}

/**
 * Iterates over the stores after a cursor. Stores without an external ID are last, or at the place that they are
 * stored under. gaps stores.null-cursor, stores.null-external-id
 */
class StoreWalk {
  readonly #named: SeededMap<Store>;
  readonly #unnamed: SeededMap<Store>;
  readonly #keys: readonly string[];
  readonly #places: readonly string[];
  readonly #nullsLast: boolean;
  #key: number;
  #place: number;

  constructor({ data, readings }: StoreContext, cursor: string | undefined) {
    this.#named = data.stores;
    this.#unnamed = data.storesWithoutId;
    this.#keys = data.stores.keyList();
    const isListed = readings["stores.null-external-id"] === "listed";
    this.#places = isListed ? data.storesWithoutId.keyList() : [];
    this.#nullsLast = readings["stores.null-cursor"] === "last-page";
    this.#key = cursor === undefined ? 0 : firstAtLeast(this.#keys, cursor);
    this.#place = cursor === undefined || this.#nullsLast ? 0 : firstAtLeast(this.#places, cursor);
    if (cursor === undefined) return;
    if (this.#keys[this.#key] === cursor) this.#key += readings["stores.cursor-start"] === "at" ? 0 : 1;
    else this.#startUnknown(readings["stores.unknown-cursor"]);
  }

  /** Whether the cursor is rejected. gap stores.unknown-cursor */
  isRejected = false;

  #startUnknown(reading: "next-greater" | "reject" | "empty"): void {
    this.isRejected = reading === "reject";
    if (reading !== "empty") return;
    this.#key = this.#keys.length;
    this.#place = this.#places.length;
  }

  /** Returns the next stores. If stores without an external ID are last, the last page has all of them. */
  take(limit: number): StoreRow[] {
    const rows: StoreRow[] = [];
    for (let row = this.peek(); row !== undefined && rows.length < limit; row = this.peek()) {
      rows.push(row);
      this.#advance();
    }
    if (!this.#nullsLast || this.#key < this.#keys.length) return rows;
    for (let row = this.peek(); row !== undefined; row = this.peek()) {
      rows.push(row);
      this.#advance();
    }
    return rows;
  }

  /** Returns the next store without advancing. */
  peek(): StoreRow | undefined {
    const place = this.#places[this.#place];
    const key = this.#keys[this.#key];
    if (key !== undefined && !this.#isUnnamedNext())
      return { externalId: key, json: this.#named.readJson(key) };
    return place === undefined ? undefined : { externalId: null, json: this.#unnamed.readJson(place) };
  }

  #advance(): void {
    if (this.#isUnnamedNext() || this.#key === this.#keys.length) this.#place += 1;
    else this.#key += 1;
  }

  #isUnnamedNext(): boolean {
    const place = this.#places[this.#place];
    const key = this.#keys[this.#key];
    return !this.#nullsLast && place !== undefined && key !== undefined && place < key;
  }
}
