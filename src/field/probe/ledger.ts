import { messageOf } from "../../wire/thrown.ts";
import { RunEnded } from "../sender/failures.ts";

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

/** The ledger of a run. If an entry cannot be stored, its write is not sent, and the run ends and restores what it changed. */
export class RunLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #onFailure: () => void;
  /** The reason that an entry was not stored. */
  #failure: string | undefined;

  constructor(ledger: Ledger, onFailure: () => void = () => undefined) {
    this.#ledger = ledger;
    this.#onFailure = onFailure;
  }

  /** @throws {RunEnded} if a write must not be sent, because its entry was not stored */
  async append(entry: LedgerEntry): Promise<void> {
    try {
      // behind an entry that was stored in part, no other could be read
      if (this.#failure === undefined) return await this.#ledger.append(entry);
    } catch (error) {
      this.#failure = messageOf(error);
      this.#onFailure();
    }
    // without this entry, a cleanup restores again what is restored
    if (entry.type !== "undone") throw new RunEnded(`The ledger cannot be written: ${this.#failure}`);
  }
}
