import { type Exchange, bodyOf, isOk, rowsOf } from "./exchange.ts";
import { Missing } from "./failures.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Ledger } from "./ledger.ts";
import type { Service } from "./service.ts";
import { type ScratchList, inputsOf } from "./store-inputs.ts";

/** The store of the lists. */
interface Owner {
  readonly externalId: string;
  readonly path: string;
  readonly isNew: boolean;
  /** @throws {Missing} if it does not exist */
  saved(): Promise<unknown>;
}

/** The lists of the scratch store that a run may replace. */
export class ScratchLists {
  readonly #store: Owner;
  readonly #service: Service;
  readonly #ledger: Ledger;
  readonly #write: (path: string, body: unknown) => Promise<Exchange>;
  readonly #saved = new Map<ScratchList, readonly JsonObject[]>();
  /** The lists that the run may have changed. */
  readonly touched = new Set<ScratchList>();
  /** The last replacement of a list, if it succeeded. */
  readonly #replaced = new Map<ScratchList, { rows: string; exchange: Exchange }>();

  constructor(
    store: Owner,
    service: Service,
    ledger: Ledger,
    write: (path: string, body: unknown) => Promise<Exchange>,
  ) {
    this.#store = store;
    this.#service = service;
    this.#ledger = ledger;
    this.#write = write;
  }

  /** Returns the original rows of a list. */
  async get(name: ScratchList): Promise<readonly JsonObject[]> {
    await this.#store.saved();
    const known = this.#saved.get(name);
    if (known !== undefined) return known;
    if (this.#store.isNew) return this.#remember(name, []);
    const exchange = await this.read(name);
    const { externalId } = bodyOf(exchange);
    const isOther = typeof externalId === "string" && externalId !== this.#store.externalId;
    if (!isOk(exchange) || isOther) throw new Missing(`the ${name} of the scratch store`);
    const rows = rowsOf(exchange);
    await this.#ledger.append({ type: "saved", path: this.#pathOf(name), value: inputsOf(name, rows) });
    return this.#remember(name, rows);
  }

  #remember(name: ScratchList, rows: readonly JsonObject[]): readonly JsonObject[] {
    this.#saved.set(name, rows);
    return rows;
  }

  #pathOf(name: ScratchList): string {
    return `${this.#store.path}/${name}`;
  }

  /** Whether a list can be replaced and restored: replaced rows get new IDs, so the list must be empty. */
  async isReplaceable(name: ScratchList): Promise<boolean> {
    return this.#store.isNew || (await this.get(name)).length === 0;
  }

  read(name: ScratchList): Promise<Exchange> {
    return this.#service.get(this.#pathOf(name), {}, { fresh: true });
  }

  /** Replaces or upserts a list. */
  async put(name: ScratchList, rows: readonly JsonObject[]): Promise<Exchange> {
    await this.get(name);
    const wasTouched = this.touched.has(name);
    this.touched.add(name);
    this.#replaced.delete(name);
    const exchange = await this.#write(this.#pathOf(name), { [name]: rows });
    if (isOk(exchange)) this.#replaced.set(name, { rows: JSON.stringify(rows), exchange });
    else if (!wasTouched) this.touched.delete(name);
    return exchange;
  }

  /** Replaces a list, unless the last request did so with the same rows. */
  async set(name: ScratchList, rows: readonly JsonObject[]): Promise<Exchange> {
    const last = this.#replaced.get(name);
    return last?.rows === JSON.stringify(rows) ? last.exchange : this.put(name, rows);
  }

  /** The changed lists that can be restored: the expositions of a store that the run created cannot be removed. */
  get restorable(): ScratchList[] {
    return [...this.touched].filter((name) => !this.#store.isNew || name !== "expositions");
  }

  /** Returns the body that restores a list. */
  original(name: ScratchList): JsonObject {
    return { [name]: inputsOf(name, this.#saved.get(name) ?? []) };
  }
}
