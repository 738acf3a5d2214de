/** One line of a ledger. */
export type LedgerEntry =
  | { readonly type: "run"; readonly marker: string; readonly services: Readonly<Record<string, string>> }
  /** The data of a scratch store before its first write. */
  | { readonly type: "saved"; readonly path: string; readonly value: unknown }
  /** A write that is about to be sent. */
  | {
      readonly type: "write";
      readonly as: string;
      readonly method: string;
      readonly path: string;
      /** True if the service must reject the body. */
      readonly isRefused?: boolean;
    }
  /** A store that a write may have given another ID. */
  | { readonly type: "renaming"; readonly path: string; readonly to: string }
  /** A resource that a write created. */
  | { readonly type: "created"; readonly path: string; readonly list: string }
  /** A created resource that was deleted, or changed data that were restored. */
  | { readonly type: "undone"; readonly path: string };

/** Stores the writes of a run, so that `cleanup` can undo those of an interrupted run. */
export interface Ledger {
  /** Stores an entry. It must be stored when the function returns or resolves. */
  append(entry: LedgerEntry): void | Promise<void>;
}
