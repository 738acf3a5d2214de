import { PaginationError } from "./errors/errors.ts";
import { isObject } from "../internal/json.ts";

/** A thousand empty pages in a row are a server that never ends. */
const longestEmptyRun = 1000;

/** What one walk remembers of its pages, to notice that it goes round in circles: a hash of each cursor, and one page. */
export class RepeatGuard {
  readonly #doing: string;
  readonly #cursors = new Set<number>();
  #lastCursor: string | undefined;
  /** The page before, as text: its items are the consumer's, who may have changed them. */
  #lastText = "";
  #lastMark: number | undefined;
  #emptyRun = 0;

  constructor(doing: string) {
    this.#doing = doing;
  }

  /** Before a page is asked for. */
  enter(cursor: string | undefined): void {
    if (cursor === undefined) return;
    const known = hash(cursor);
    if (this.#cursors.has(known))
      throw this.error("the server gave a cursor that it gave before: the walk would not end");
    this.#cursors.add(known);
  }

  /** Before a page is delivered. */
  accept(
    cursor: string | undefined,
    items: readonly unknown[],
    text: string,
    itemsOf: (text: string) => readonly unknown[],
  ): void {
    this.#emptyRun = items.length === 0 ? this.#emptyRun + 1 : 0;
    if (this.#emptyRun >= longestEmptyRun) throw this.error(`${longestEmptyRun} empty pages in a row`);
    const mark = items.length === 0 ? undefined : letters(this.#text(items[0]));
    // what weighs the same is compared in full
    if (mark !== undefined && mark === this.#lastMark && this.#repeats(items, itemsOf)) {
      throw this.error("the server answered the page before once more: it seems to ignore the cursor");
    }
    this.#lastMark = mark;
    this.#lastCursor = cursor;
    this.#lastText = text;
  }

  /** An item as text, to compare it: the order of its members does not matter. */
  write(item: unknown): string {
    return this.#text(item, inOrder);
  }

  #text(item: unknown, replacer?: (name: string, value: unknown) => unknown): string {
    try {
      return JSON.stringify(item, replacer);
    } catch {
      throw this.error("an item is nested deeper than can be compared with others");
    }
  }

  #repeats(items: readonly unknown[], itemsOf: (text: string) => readonly unknown[]): boolean {
    const before = itemsOf(this.#lastText);
    if (before.length !== items.length) return false;
    return items.every((item, at) => this.write(item) === this.write(before[at]));
  }

  error(reason: string): PaginationError {
    return new PaginationError(this.#doing, reason, { cursor: this.#lastCursor });
  }
}

function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A number that does not change with the order of a text's letters, and so not with that of an item's members. */
function letters(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    sum = (sum + Math.imul(unit, unit ^ 0x9e3779b1)) | 0;
  }
  return sum;
}

/** 53 bits of a text (two FNV-1a sums): of a million cursors two are alike by chance once in 18 000 walks. */
export function hash(text: string): number {
  let high = 0x811c9dc5;
  let low = 0xc9dc5118;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca77);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
