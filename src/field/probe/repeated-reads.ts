import { type Exchange, isOk } from "./exchange.ts";

/** Finds reads that excluded a reading in one of their responses, and nothing in another one. */
export class RepeatedReads {
  /** The last response to each read since the last write: its number, and whether it excluded a reading. */
  readonly #last = new Map<string, { readonly n: number; readonly excludes: boolean }>();
  readonly #changes: (readonly [number, number])[] = [];

  add(exchange: Exchange, excludes: boolean): void {
    if (exchange.method !== "GET") this.#last.clear();
    if (exchange.method !== "GET" || !isOk(exchange)) return;
    const { n, as, version, path, query } = exchange;
    const read = JSON.stringify([as, version, path, query]);
    const last = this.#last.get(read);
    if (last !== undefined && last.excludes !== excludes) this.#changes.push([last.n, n]);
    this.#last.set(read, { n, excludes });
  }

  /** Returns the numbers of two responses to one read that contradict each other, without those that prove nothing. */
  contradiction(isVoid: ReadonlySet<number>): readonly [number, number] | undefined {
    return this.#changes.find((numbers) => !numbers.some((n) => isVoid.has(n)));
  }
}
