/** Changes of the clients that no history can find, because a program cannot tell them from the original. */
export interface Equivalent {
  readonly file: string;
  /** The changed line without its indentation. */
  readonly line: string;
  readonly replacement: string;
  readonly reason: string;
}

export const equivalent: readonly Equivalent[] = [
  {
    file: "src/client/store/pull-state.ts",
    line: "} catch {",
    replacement: "{}",
    reason: "a function that ends without `return` returns undefined as well",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: "} catch {",
    replacement: "{}",
    reason: "a function that ends without `return` returns undefined as well",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: 'const reader = new PassReader<T, Meta>(context, pass, next, reaction, unit === "pages");',
    replacement: "true",
    reason: "a walk over items writes tokens that nobody reads",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: "if (read === undefined) return [];",
    replacement: "false",
    reason: "its only caller has checked that the page was read",
  },
  {
    file: "src/client/core/options/token-bucket.ts",
    line: "return this.#tokens >= 1 ? pause : pause + ((1 - this.#tokens) * 1000) / rate;",
    replacement: "false",
    reason: "a bucket has at most one token during a pause, and any wait below 0 is no wait",
  },
];
