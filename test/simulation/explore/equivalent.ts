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
];
