/** Stored rows that equal new rows and keep their IDs, each used once. gap lists.ids-after-replace */
export class RetainedRows<Row> {
  readonly #byContent = new Map<string, Row[]>();
  readonly #content: (row: Row) => string;

  constructor(rows: readonly Row[], content: (row: Row) => string) {
    this.#content = content;
    for (const row of rows) {
      const same = this.#byContent.get(content(row));
      if (same === undefined) this.#byContent.set(content(row), [row]);
      else same.push(row);
    }
  }

  /** Returns the stored row that equals a new one, or the new one. */
  take(row: Row): Row {
    return this.#byContent.get(this.#content(row))?.shift() ?? row;
  }
}
