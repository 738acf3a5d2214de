import { InvalidRequestError, isNotFound, requireSingle } from "./clients.ts";
import { Failures, type JobFailure, RowError } from "./errors.ts";
import type { PullState } from "./pull-state.ts";
import { type Limits, readDetails } from "./tasks.ts";

/** A new or changed item of a page. */
export interface FreshItem {
  item: unknown;
  /** The ID; undefined if the item has no ID. */
  id: string | undefined;
  /** The ID or, without one, the hash of the content. */
  name: string;
  /** The hashes of the ID and of the content. */
  key: string;
  content: string;
}

/** Items with their details, and those that could not be read. */
export interface ReadItems {
  read: readonly FreshItem[];
  failed: JobFailure[];
}

const noId = "is needed: the item has no ID";

/** The details of a run: those that it has read, and those that it and earlier runs could not read. */
export class Details {
  readonly #get: ((id: string) => PromiseLike<unknown>) | undefined;
  readonly #limits: Limits;
  /** The IDs of items that earlier runs could not read, and the number of runs that did not find them. */
  readonly #before: ReadonlyMap<string, number>;
  /** The same for the next run. */
  readonly #pending: Map<string, number>;
  /** What could not be read until now. */
  readonly failures = new Failures();
  /** An item that could be read, in an earlier run or in this one. */
  #witness: string | undefined;
  #hasReadOne = false;

  /** @param get reads the details of an item; undefined if the items of the list are delivered as they are */
  constructor(
    get: ((id: string) => PromiseLike<unknown>) | undefined,
    limits: Limits,
    { pending, witness }: PullState,
  ) {
    this.#get = get;
    this.#limits = limits;
    this.#before = new Map(pending);
    this.#pending = new Map(pending);
    this.#witness = witness;
  }

  get state(): Pick<PullState, "pending" | "witness"> {
    return { pending: [...this.#pending], witness: this.#witness };
  }

  /** Reads again what earlier runs could not read. Undefined if there is nothing. */
  async readPending(): Promise<ReadItems | undefined> {
    if (this.#before.size === 0 || this.#get === undefined) return undefined;
    // their content is not known: the list may deliver them again
    const others = { item: undefined, content: "" };
    return this.read([...this.#before.keys()].map((id) => ({ id, name: id, key: id, ...others })));
  }

  async read(fresh: readonly FreshItem[]): Promise<ReadItems> {
    if (this.#get === undefined) return { read: fresh, failed: [] };
    const failed: JobFailure[] = [];
    const fail = ({ id, name }: FreshItem, cause: unknown): void => {
      const error = new RowError(name, "details", cause);
      failed.push({ id: name, error });
      this.failures.add(error);
      if (id !== undefined) this.#pending.set(id, isNotFound(cause) ? (this.#before.get(id) ?? 0) + 1 : 0);
    };
    const read = await readDetails(fresh, this.#limits, this.#readOne, fail);
    return { read: read.map(({ detail, ...entry }) => ({ ...entry, item: detail })), failed };
  }

  readonly #readOne = async ({ id }: FreshItem): Promise<unknown> => {
    if (id === undefined)
      throw new InvalidRequestError("pull: details", [{ path: "identify", message: noId }]);
    const detail = await this.#get?.(id);
    this.#pending.delete(id);
    this.failures.delete(id);
    this.#witness = id;
    this.#hasReadOne = true;
    return detail;
  };

  /**
   * Gives up the items that two runs did not find: they were deleted. The 404 is believed only if the same operation finds
   * another item.
   */
  async giveUpMissing(): Promise<void> {
    const gone = [...this.#pending].filter(([, misses]) => misses >= 2).map(([id]) => id);
    if (gone.length === 0 || !(await this.#findsAnother())) return;
    for (const id of gone) {
      this.#pending.delete(id);
      this.failures.delete(id);
    }
  }

  async #findsAnother(): Promise<boolean> {
    if (this.#hasReadOne || this.#witness === undefined) return this.#hasReadOne;
    try {
      await this.#get?.(this.#witness);
      return true;
    } catch (error) {
      requireSingle(error, this.#limits.signal);
      return false;
    }
  }
}
