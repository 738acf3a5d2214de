/** One line of a ledger. */
export type LedgerEntry =
  | { readonly type: "run"; readonly marker: string; readonly services: Readonly<Record<string, string>> }
  /** What a scratch store was before its first write. */
  | { readonly type: "saved"; readonly path: string; readonly value: unknown }
  /** A write that is about to be sent. */
  | {
      readonly type: "write";
      readonly as: string;
      readonly method: string;
      readonly path: string;
      /** True where the body is one that the service has to refuse. */
      readonly isRefused?: boolean;
    }
  /** A store that a write may have given another ID. */
  | { readonly type: "renaming"; readonly path: string; readonly to: string }
  /** Something that a write made. */
  | { readonly type: "created"; readonly path: string; readonly list: string }
  /** Something that was made and is gone again, or was changed and is as before. */
  | { readonly type: "undone"; readonly path: string };

/** Keeps what a run writes, so that `cleanup` can undo what an interrupted one left. */
export interface Ledger {
  /** Has to have stored the entry when it returns or resolves. */
  append(entry: LedgerEntry): void | Promise<void>;
}
