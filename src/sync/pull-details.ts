import { type CallOptions, concernOf, InvalidRequestError, isNotFound } from "./clients.ts";
import { Failures, type JobFailure, RowError } from "./errors.ts";
import type { PullState } from "./pull-state.ts";
import { runEach } from "./tasks.ts";

/** A new or changed item of a page. */
export interface FreshItem {
  item: unknown;
  /** The ID; undefined if the item has no ID. */
  id: string | undefined;
  /** The hashes of the ID and of the content. */
  key: string;
  content: string;
}

/** Items with their details, and those that could not be read. */
export interface ReadItems {
  read: readonly FreshItem[];
  failed: JobFailure[];
}

/** How a run reads the details of items. */
export interface DetailsSettings {
  /** Reads the details of an item; undefined if only the items of the list are delivered. */
  readonly get: ((id: string) => PromiseLike<unknown>) | undefined;
  readonly concurrency: number | undefined;
  readonly call: CallOptions;
}

const noId = "is needed: the item has no ID";

/** The details of a run: those that it has read, and those that it and earlier runs could not read. */
export class Details {
  readonly #settings: DetailsSettings;
  /** The IDs of items that could not be read, and the number of runs that did not find them. */
  readonly #pending: Map<string, number>;
  readonly #missed = new Set<string>();
  readonly #failures = new Failures();
  /** An item that could be read, in an earlier run or in this one. */
  #witness: string | undefined;
  #hasReadOne = false;
  /** An item that the list has. */
  #listed: string | undefined;

  constructor(settings: DetailsSettings, { pending, witness }: PullState) {
    this.#settings = settings;
    this.#pending = new Map(pending);
    this.#witness = witness;
  }

  get state(): Pick<PullState, "pending" | "witness"> {
    const witness = this.#witness;
    return { pending: [...this.#pending], ...(witness !== undefined && { witness }) };
  }

  /** What could not be read until now. */
  get failures(): JobFailure[] {
    return this.#failures.all;
  }

  /** Reads again what earlier runs could not read. Undefined if there is nothing. */
  async readPending(): Promise<ReadItems | undefined> {
    if (this.#pending.size === 0 || this.#settings.get === undefined) return undefined;
    // their content is not known: the list may deliver them again
    return this.read([...this.#pending.keys()].map((id) => ({ item: undefined, id, key: id, content: "" })));
  }

  async read(fresh: readonly FreshItem[]): Promise<ReadItems> {
    const { concurrency, call, get } = this.#settings;
    if (get === undefined) return { read: fresh, failed: [] };
    const failed: JobFailure[] = [];
    const read = await runEach(fresh, { concurrency, signal: call.signal }, async (entry) => {
      const name = entry.id ?? entry.key;
      try {
        const item = await this.#readOne(entry.id, get);
        return { ...entry, item };
      } catch (error) {
        call.signal?.throwIfAborted();
        if (concernOf(error) !== "one") throw error;
        this.#postpone(name, entry.id, error);
        failed.push({ id: name, error: new RowError(name, "details", error) });
        return undefined;
      }
    });
    return { read: read.filter((entry) => entry !== undefined), failed };
  }

  async #readOne(id: string | undefined, get: (id: string) => PromiseLike<unknown>): Promise<unknown> {
    if (id === undefined)
      throw new InvalidRequestError("pull: details", [{ path: "identify", message: noId }]);
    const detail = await get(id);
    this.#pending.delete(id);
    this.#failures.delete(id);
    this.#witness = id;
    this.#hasReadOne = true;
    return detail;
  }

  /** Remembers an item without details. */
  #postpone(name: string, id: string | undefined, error: unknown): void {
    if (id !== undefined) {
      const misses = this.#pending.get(id) ?? 0;
      const isFirstMiss = isNotFound(error) && !this.#missed.has(id);
      this.#pending.set(id, isNotFound(error) ? misses + Number(isFirstMiss) : 0);
      if (isFirstMiss) this.#missed.add(id);
    }
    this.#failures.add(name, "details", error);
  }

  /** Notes an item of the list. */
  noteListed(id: string | undefined): void {
    if (id !== undefined && !this.#pending.has(id)) this.#listed = id;
  }

  /**
   * Gives up the items that two runs did not find: they were deleted. The 404 is believed only if the same operation finds
   * another item.
   */
  async giveUpMissing(): Promise<void> {
    const gone = [...this.#pending].filter(([, misses]) => misses >= 2).map(([id]) => id);
    if (gone.length === 0 || !(await this.#findsAnother())) return;
    for (const id of gone) {
      this.#pending.delete(id);
      this.#failures.delete(id);
    }
  }

  async #findsAnother(): Promise<boolean> {
    for (const id of [this.#listed, this.#witness]) {
      if (this.#hasReadOne) return true;
      if (id === undefined) continue;
      try {
        await this.#settings.get?.(id);
        return true;
      } catch (error) {
        this.#settings.call.signal?.throwIfAborted();
        if (concernOf(error) !== "one") throw error;
      }
    }
    return this.#hasReadOne;
  }
}
