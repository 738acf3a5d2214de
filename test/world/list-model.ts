/** The rows of a list, as a service that nobody has seen keeps them: the judge of what a walk delivers. */
import type { Change } from "./list-history.ts";

export interface ModelRow {
  readonly id: string;
  /** What the list is sorted by. */
  readonly key: number;
}

export class Model {
  /** The rows in the order of the list. */
  rows: ModelRow[];
  /** The number of requests so far. */
  requests = 0;
  /** Whether rows were created and deleted between two requests so that the totals agree. */
  isReplaced = false;
  hasCreated = false;
  hasDeleted = false;
  readonly #changes: readonly Change[];
  readonly #first: ReadonlySet<string>;
  #made = 0;

  constructor(rows: readonly ModelRow[], changes: readonly Change[]) {
    this.rows = [...rows];
    this.#first = new Set(rows.map(({ id }) => id));
    this.#changes = changes;
  }

  get isChanged(): boolean {
    return this.hasCreated || this.hasDeleted;
  }

  /** The number of rows that were created. */
  get made(): number {
    return this.#made;
  }

  /** The rows that existed from the beginning until now. */
  get whole(): string[] {
    return this.rows.map(({ id }) => id).filter((id) => this.#first.has(id));
  }

  /** Called before each request of a page. */
  next(): void {
    this.requests += 1;
    const { length } = this.rows;
    const before = { made: this.#made, length };
    for (const { before: request, act, place, count } of this.#changes) {
      if (request !== this.requests) continue;
      for (let n = 0; n < count; n += 1) this.#apply(act, place);
    }
    const isSame = this.rows.length === before.length && this.#made > before.made;
    this.isReplaced ||= isSame;
  }

  #apply(act: Change["act"], place: number): void {
    const index = Math.floor(place * this.rows.length);
    if (act === "create") {
      const [left, right] = [this.rows[index - 1]?.key, this.rows[index]?.key];
      const key =
        left === undefined || right === undefined ? (left ?? (right ?? 1) - 1) + 0.5 : (left + right) / 2;
      this.rows.splice(index, 0, { id: `new-${(this.#made += 1)}`, key });
      this.hasCreated = true;
    } else if (this.rows.length > 0) {
      this.rows.splice(Math.min(index, this.rows.length - 1), 1);
      this.hasDeleted = true;
    }
  }
}
