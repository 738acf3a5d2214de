import { wrongResult } from "./callbacks.ts";
import { ConfigurationError, ShelfleetError, sleep, type SyncList, type SyncRuntime } from "./clients.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { hashJson } from "./json.ts";
import type { RecordSink } from "./sink.ts";
import { readRecords } from "./tasks.ts";

/**
 * What is remembered of an entity, and since when. `intended`: a POST was begun, and its result is not known; `last` is when the run
 * that has begun it was last seen to be alive. `created`: it has an ID; `isListed` says whether the list has shown it. `none`: a
 * POST was not processed.
 */
export type EnsureRecord =
  | { readonly kind: "none" }
  | { readonly kind: "intended"; readonly at: number; readonly last: number }
  | { readonly kind: "created"; readonly at: number; readonly id: string; readonly isListed: boolean };

/** The records of a run, by key. Without a sink nothing is remembered. */
export class Records {
  readonly sink: RecordSink | undefined;
  readonly #operation: string;
  readonly #digest: string;
  readonly #texts = new Map<string, string>();

  constructor(
    sink: RecordSink | undefined,
    { operation, baseUrl }: Pick<SyncList<unknown>, "operation" | "baseUrl">,
  ) {
    this.sink = sink;
    this.#operation = operation;
    this.#digest = hashJson([operation, baseUrl]);
  }

  /** Reads the records of keys. */
  async read(names: readonly string[]): Promise<void> {
    if (this.sink === undefined) return;
    const found = await readRecords(
      this.sink,
      names.map((name) => this.#keyOf(name)),
    );
    for (const [key, text] of found) this.#texts.set(key, text);
  }

  /** Returns the text of a record, which is another one after each save. */
  textOf(name: string): string | undefined {
    return this.#texts.get(this.#keyOf(name));
  }

  /** Returns the record of a key. */
  get(name: string): EnsureRecord {
    const text = this.textOf(name);
    if (text === undefined) return { kind: "none" };
    const record = parseJson(text);
    if (!isObject(record) || record["v"] !== 1)
      throw new ConfigurationError("ensure: a record of the sink was not saved by ensure");
    if (record["list"] !== this.#digest)
      throw new ConfigurationError("ensure: the sink has records of another service or another list");
    return record as object as EnsureRecord; // as it was saved
  }

  /** Saves a record, unless another run has saved one since it was read. Returns whether it did. */
  async save(name: string, record: EnsureRecord): Promise<boolean> {
    if (this.sink === undefined) return true;
    const key = this.#keyOf(name);
    // no two runs write the same text
    const text = JSON.stringify({ v: 1, list: this.#digest, by: crypto.randomUUID(), ...record });
    const isSaved: unknown = await this.sink.saveRecord(key, this.#texts.get(key), text);
    if (typeof isSaved !== "boolean")
      throw wrongResult("ensure: saveRecord of the sink", "a boolean", isSaved);
    if (isSaved) this.#texts.set(key, text);
    else await this.read([name]);
    return isSaved;
  }

  #keyOf(name: string): string {
    return `${this.#operation} ${name}`;
  }
}

/** A run whose POST is in progress saves its intention again after this time, in ms. */
export const second = 1000;

/** A run sends no POST, and no further attempt, if its intention has not been saved for this time, in ms. */
const longestGap = 3 * second;

/** The intention of this run to create an entity. */
export class Intention {
  readonly at: number;
  readonly #records: Records;
  readonly #name: string;
  readonly #runtime: SyncRuntime;
  /** Its record, as this run has saved it. */
  #text: string | undefined;

  private constructor(records: Records, name: string, runtime: SyncRuntime) {
    this.at = runtime.Date.now();
    this.#records = records;
    this.#name = name;
    this.#runtime = runtime;
  }

  /** Saves an intention. Undefined if another run has begun to create the entity. */
  static async begin(records: Records, name: string, runtime: SyncRuntime): Promise<Intention | undefined> {
    const intention = new Intention(records, name, runtime);
    if (!(await intention.#save(intention.at))) return undefined;
    // while the sink was slow, another run may have taken this one for a killed one
    if (runtime.Date.now() - intention.at < longestGap) return intention;
    await intention.end({ kind: "none" });
    const message = `ensure: the sink takes longer than ${longestGap} ms to save a record: nothing was sent`;
    throw Object.assign(new ShelfleetError(message), { retryable: true });
  }

  /**
   * Sends a POST. Until it ends, the intention is saved again and again, so that other runs see that it may still be sent.
   * @param post is aborted if another run may create the entity
   */
  async send<R>(post: (lost: AbortSignal) => PromiseLike<R> | undefined): Promise<R | undefined> {
    const end = new AbortController();
    const lost = new AbortController();
    const renewal = this.#renew(end.signal, lost).catch(() => {}); // it has ended
    try {
      return await post(lost.signal);
    } catch (error) {
      if (!lost.signal.aborted) throw error;
      const message = `ensure: ${String(lost.signal.reason)}`;
      throw Object.assign(new ShelfleetError(message), { mayHaveBeenProcessed: true });
    } finally {
      end.abort();
      await renewal;
    }
  }

  /** Replaces the intention by its result, unless another run has taken it over. */
  async end(record: EnsureRecord): Promise<void> {
    if (this.#records.textOf(this.#name) === this.#text) await this.#records.save(this.#name, record);
  }

  async #renew(end: AbortSignal, lost: AbortController): Promise<void> {
    if (this.#records.sink === undefined) return;
    for (let last = this.at; ; ) {
      await sleep(this.#runtime, second, [end]);
      const now = this.#runtime.Date.now();
      const isSaved = await this.#save(now).catch(() => undefined);
      if (isSaved === true) last = now;
      if (isSaved === false)
        return lost.abort("another run has begun to create it, because this one stood still");
      if (this.#runtime.Date.now() - last >= longestGap)
        return lost.abort("the sink has not saved its intention again, and another run may create it");
    }
  }

  async #save(last: number): Promise<boolean> {
    const isSaved = await this.#records.save(this.#name, { kind: "intended", at: this.at, last });
    if (isSaved) this.#text = this.#records.textOf(this.#name);
    return isSaved;
  }
}
