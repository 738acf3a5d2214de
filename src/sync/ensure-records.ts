import { ConfigurationError } from "./clients.ts";
import { wrongResult } from "./callbacks.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { hashJson } from "./json.ts";
import type { RecordSink } from "./sink.ts";

/**
 * What is remembered of an entity, and since when. `intended`: a POST was begun, and its result is not known; `last` is when the run
 * that has begun it was last seen to be alive. `created`: it has an ID; `isListed` says whether the list has shown it. `none`: a
 * POST was not processed.
 */
export type EnsureRecord =
  | { readonly kind: "none" }
  | { readonly kind: "intended"; readonly at: number; readonly last: number }
  | { readonly kind: "created"; readonly at: number; readonly id: string; readonly isListed: boolean };

/** The largest number of keys that a sink gets at once. */
const maxKeys = 500;

const none: EnsureRecord = { kind: "none" };

/** The records of a run, by key. Without a sink nothing is remembered after it. */
export class Records {
  readonly #sink: RecordSink | undefined;
  readonly #list: { readonly operation: string; readonly baseUrl?: string | undefined };
  readonly #digest: string;
  readonly #texts = new Map<string, string>();

  constructor(
    sink: RecordSink | undefined,
    list: { readonly operation: string; readonly baseUrl?: string | undefined },
  ) {
    this.#sink = sink;
    this.#list = list;
    this.#digest = hashJson([list.operation, list.baseUrl]);
  }

  /** Reads the records of keys. */
  async read(names: readonly string[]): Promise<void> {
    for (let start = 0; start < names.length; start += maxKeys) {
      const keys = names.slice(start, start + maxKeys).map((name) => this.#keyOf(name));
      const found: unknown = await this.#sink?.findRecords(keys);
      if (found === undefined && this.#sink === undefined) return;
      if (typeof (found as Map<string, string> | null)?.get !== "function")
        throw wrongResult("ensure: findRecords of the sink", "a Map", found);
      for (const key of keys) {
        const text = (found as Map<string, string>).get(key);
        if (text !== undefined) this.#texts.set(key, text);
      }
    }
  }

  /** Returns the text of a record, which is another one after each save. */
  textOf(name: string): string | undefined {
    return this.#texts.get(this.#keyOf(name));
  }

  /** Returns the record of a key. */
  get(name: string): EnsureRecord {
    const text = this.textOf(name);
    if (text === undefined) return none;
    const record = parseJson(text);
    if (!isObject(record) || record["v"] !== 1)
      throw new ConfigurationError("ensure: a record of the sink was not saved by ensure");
    if (record["list"] !== this.#digest)
      throw new ConfigurationError("ensure: the sink has records of another service or another list");
    return record as object as EnsureRecord; // as it was saved
  }

  /** Saves a record, unless another run has saved one since it was read. Returns whether it did. */
  async save(name: string, record: EnsureRecord): Promise<boolean> {
    if (this.#sink === undefined) return true;
    const key = this.#keyOf(name);
    // no two runs write the same text
    const text = JSON.stringify({ v: 1, list: this.#digest, by: crypto.randomUUID(), ...record });
    const isSaved: unknown = await this.#sink.saveRecord(key, this.#texts.get(key), text);
    if (typeof isSaved !== "boolean")
      throw wrongResult("ensure: saveRecord of the sink", "a boolean", isSaved);
    if (isSaved) this.#texts.set(key, text);
    else await this.read([name]);
    return isSaved;
  }

  #keyOf(name: string): string {
    return `${this.#list.operation} ${name}`;
  }
}
