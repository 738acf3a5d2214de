import { parseInstant } from "../../../wire/instants.ts";

/** A row of a list that is ordered by time. */
interface Timed {
  readonly createdAt: string;
}

/** A row with its position in the list. */
interface TimelineEntry<Row> {
  readonly row: Row;
  readonly time: number;
  readonly id: string;
}

/** Rows ordered by time, then by ID. */
export class Timeline<Row extends Timed> {
  readonly #placed: readonly TimelineEntry<Row>[];
  readonly #sign: number;

  constructor(rows: readonly Row[], idOf: (row: Row) => string, newestFirst = false) {
    this.#sign = newestFirst ? -1 : 1;
    this.#placed = rows
      .map((row) => ({ row, time: parseInstant(row.createdAt), id: idOf(row) }))
      .toSorted((one, other) => this.#order(one, other));
  }

  /** Returns the rows after a cursor, or from the beginning; `undefined` for an invalid cursor. */
  after(cursor: string | undefined, limit: number): { rows: Row[]; nextCursor: string | null } | undefined {
    const place = cursor === undefined ? undefined : parseCursor(cursor);
    if (cursor !== undefined && place === undefined) return undefined;
    const from = place === undefined ? 0 : this.#placed.findIndex((placed) => this.#order(placed, place) > 0);
    const start = from === -1 ? this.#placed.length : from;
    const page = this.#placed.slice(start, start + limit);
    const last = page.at(-1);
    const more = start + limit < this.#placed.length && last !== undefined;
    return { rows: page.map(({ row }) => row), nextCursor: more ? formatCursor(last) : null };
  }

  #order(one: { time: number; id: string }, other: { time: number; id: string }): number {
    if (one.time !== other.time) return this.#sign * (one.time - other.time);
    return one.id < other.id ? -1 : Number(one.id > other.id);
  }
}

/** Returns the cursor after a row; it remains valid when the row is deleted. */
export function formatCursor({ time, id }: { time: number; id: string }): string {
  return `${new Date(time).toISOString()}/${id}`;
}

function parseCursor(cursor: string): { time: number; id: string } | undefined {
  const slash = cursor.indexOf("/");
  const time = parseInstant(cursor.slice(0, Math.max(slash, 0)));
  return Number.isNaN(time) ? undefined : { time, id: cursor.slice(slash + 1) };
}
