import { storePath } from "../routes.ts";
import { type Exchange, bodyOf, isOk } from "./exchange.ts";
import { NoEvidence } from "../sender/failures.ts";
import { Missing } from "./failures.ts";
import { isSameJson } from "../../wire/compare-json.ts";
import { type JsonObject, objectsIn } from "../../wire/json.ts";
import type { Ledger } from "./ledger.ts";
import { attempt, readStored, restoreVisibly, restorePath, restoreName } from "./restore.ts";
import { isSameUuid } from "./experiments/store/identity.ts";
import type { Service } from "./service.ts";
import { ScratchLists } from "./scratch-lists.ts";
import { fieldsOf, inputsOf } from "./store-inputs.ts";

const ANY_TYPE = "Kiosk";

/** The store that a run may change. An existing store is restored; a store that the run created may remain changed. */
export class ScratchStore {
  readonly #service: Service;
  readonly #externalId: string;
  readonly #ledger: Ledger;
  readonly lists: ScratchLists;
  #saved: JsonObject | undefined;
  /** The store as read before it was saved. */
  #found: JsonObject | undefined;
  /** Whether a request showed that the store did not exist. */
  #isAbsent = false;
  #isTouched = false;
  /** Whether the store may be under another ID. */
  #isLost = false;
  /** The changes that every further update repeats. */
  #changes: JsonObject = {};
  /** The response to the last update, if it shows the store as it is. */
  #shown: Exchange | undefined;
  /** The number of writes that the service refused since the last one that it accepted. */
  #refused = 0;
  /** The ID that a write may have given to the store. */
  #alias: string | undefined;
  /** Whether the run may have changed something. */
  #isWritten = false;
  /** The number of the last exchange that showed the store of the first one. */
  #lastSeen = 0;
  /** Whether the store was removed or replaced after that exchange: what followed shows nothing. */
  #isGone = false;
  /** Whether this run created the store. */
  isNew = false;
  /** Whether this run may have created the store, without a response. */
  #mayBeCreated = false;
  /** Whether to leave out a `storeType` of null, because the service rejects it. */
  #omitsNullType = false;

  constructor(service: Service, externalId: string, ledger: Ledger) {
    this.#service = service;
    this.#externalId = externalId;
    this.#ledger = ledger;
    this.lists = new ScratchLists(this, service, ledger, (path, body) => this.#write(path, body));
  }

  get externalId(): string {
    return this.#externalId;
  }

  get path(): string {
    return storePath(this.#externalId);
  }

  /**
   * Returns whether the store exists. Saves its data if it does.
   *
   * @throws {Missing} if it cannot be read for another reason than that it does not exist
   */
  async exists(): Promise<boolean> {
    if (this.#saved !== undefined) return true;
    if (await this.isAbsent()) return false;
    if (this.#found === undefined) throw new Missing("a scratch store that can be read");
    await this.#save(this.#found);
    return true;
  }

  /**
   * Whether the service says that the store does not exist.
   *
   * @throws {Missing} if it shows a store with another ID, whose data would overwrite those of the scratch store
   */
  async isAbsent(): Promise<boolean> {
    if (this.#found !== undefined) return false;
    if (this.#isAbsent) return true;
    const exchange = await this.#service.get(this.path, {}, { fresh: true });
    this.#isAbsent = exchange.status === 404;
    if (!isOk(exchange)) return this.#isAbsent;
    const store = bodyOf(exchange);
    // gap stores.external-id-equality: the service may have changed the ID of a store that this run created
    if (!this.#mayBeCreated && store.externalId !== this.#externalId)
      throw new Missing("a scratch store that the service shows with its external ID");
    this.#found = store;
    return false;
  }

  /** The number of the last exchange before another client removed or replaced the store. */
  get goneAfter(): number | undefined {
    return this.#isGone ? this.#lastSeen : undefined;
  }

  /** Compares the store of a response with that of the first one: an update of a removed store creates another one. */
  #compareStore(exchange: Exchange): void {
    const { storeId } = bodyOf(exchange);
    const own = this.#saved?.storeId;
    if (this.#isGone || !isOk(exchange) || typeof storeId !== "string" || typeof own !== "string") return;
    this.#isGone = !isSameUuid(storeId, own);
    if (!this.#isGone) this.#lastSeen = exchange.n;
  }

  async #save(value: JsonObject): Promise<void> {
    this.#saved = value;
    await this.#ledger.append({ type: "saved", path: this.path, value: fieldsOf(value) });
  }

  /** Creates the store, which cannot be deleted. */
  async create(body: JsonObject): Promise<Exchange> {
    await this.#ledger.append({ type: "write", as: "store", method: "PUT", path: this.path });
    const exchange = await attempt(() => this.#service.send({ method: "PUT", path: this.path, body }));
    if (exchange === undefined || !exchange.isEvidence) {
      this.#mayBeCreated = true;
      this.#isAbsent = false;
      this.isNew = await this.exists();
      throw new NoEvidence(`PUT ${this.path}: no response that proves anything`);
    }
    if (isOk(exchange)) {
      this.isNew = true;
      this.#isWritten = true;
      this.#saved = bodyOf(exchange);
      this.#lastSeen = exchange.n;
    }
    return exchange;
  }

  /** Returns the original store. @throws {Missing} if it does not exist */
  async saved(): Promise<JsonObject> {
    if (this.#isLost || (this.#saved === undefined && !(await this.exists())))
      throw new Missing("the scratch store");
    return this.#saved ?? {};
  }

  /** Returns a body with every original field, with what `set` changed, and with further changes. */
  async full(changes: JsonObject = {}): Promise<JsonObject> {
    await this.saved();
    return this.#body({ ...this.#changes, ...changes });
  }

  /** Changes fields, also in all further updates. Nothing is sent if the last response shows the store with them. */
  async set(changes: JsonObject): Promise<Exchange> {
    const shown = this.#shown;
    if (shown !== undefined && contains(bodyOf(shown), changes)) return shown;
    const exchange = await this.put(await this.full(changes));
    if (isOk(exchange)) this.#changes = { ...this.#changes, ...changes };
    return exchange;
  }

  /**
   * Sends a write without the change that was refused, and returns whether the service accepts it, as it did before the
   * refused one.
   */
  async acceptsWithout(
    send: () => Promise<Exchange> = async () => this.put(await this.full()),
  ): Promise<boolean> {
    const isOnlyOne = this.#refused === 1;
    return isOk(await send()) && isOnlyOne;
  }

  #body(changes: JsonObject = {}): JsonObject {
    const { storeType, ...original } = fieldsOf(this.#saved ?? {});
    const isOmitted = storeType === null && this.#omitsNullType;
    return { ...original, ...(!isOmitted && { storeType }), ...changes };
  }

  /** Records that the service rejects a `storeType` of null: a store that this run created gets another one. */
  rejectNullType(): void {
    if (this.isNew) this.#saved = { ...this.#saved, storeType: ANY_TYPE };
    else this.#omitsNullType = true;
  }

  /** Whether a change of the store's type can be reverted. */
  async canRestoreType(): Promise<boolean> {
    return this.isNew || !this.#omitsNullType || (await this.saved()).storeType !== null;
  }

  /** Updates the store. */
  async put(body: JsonObject): Promise<Exchange> {
    await this.saved();
    const wasTouched = this.#isTouched;
    const shown = this.#shown;
    this.#isTouched = true;
    this.#shown = undefined;
    if (typeof body.externalId !== "string") {
      const exchange = await this.#write(this.path, body);
      // a rejected write changes nothing
      this.#isTouched = wasTouched || isOk(exchange);
      this.#shown = isOk(exchange) ? exchange : shown;
      return exchange;
    }
    this.#alias = body.externalId;
    this.#isLost = true;
    await this.#ledger.append({ type: "renaming", path: this.path, to: storePath(body.externalId) });
    try {
      return await this.#write(this.path, body);
    } catch (error) {
      if (error instanceof NoEvidence) await this.#recover(body.externalId);
      throw error;
    }
  }

  /** Finds the ID of the store after a write without a response, and restores the original ID. */
  async #recover(alias: string): Promise<void> {
    const exchange = await attempt(() => this.#service.send({ method: "GET", path: storePath(alias) }));
    if (exchange === undefined || !exchange.isEvidence) return;
    this.#isLost = isOk(exchange) && !(await restorePath(this.#service, storePath(alias), this.#renamed()));
  }

  /** Records that the store still has its ID after a write that could have changed it. */
  confirmName(): void {
    this.#isLost = false;
  }

  /** Reads the store by its ID after a write that could have changed it. @throws {Missing} if it is not there */
  async findName(): Promise<void> {
    this.#isLost = !isOk(await this.#service.get(this.path, {}, { fresh: true }));
    if (this.#isLost)
      throw new Missing("a scratch store that can be read by the ID that the service gave it");
  }

  /** Restores the ID of the store if a write changed it. @throws {Missing} if that fails */
  async rename(from: string): Promise<void> {
    this.#isLost = !(await restorePath(this.#service, storePath(from), this.#renamed()));
    if (this.#isLost) throw new Missing("a scratch store that takes its ID back");
  }

  /** The number of requests that checking and restoring the store needs. */
  get pending(): number {
    const paths = (this.#isTouched && !this.isNew ? 1 : 0) + this.lists.restorable.length;
    return (this.#isWritten ? 1 : 0) + (this.isNew ? 1 : 2) * paths;
  }

  /** Sends a body that the service rejects at any size. */
  sendRefused(body: string): Promise<Exchange> {
    return this.#write(`${this.path}/contacts`, body, true);
  }

  async #write(path: string, body: unknown, isRefused = false): Promise<Exchange> {
    await this.#ledger.append({ type: "write", as: "store", method: "PUT", path, isRefused });
    this.#isWritten = true;
    const exchange = await this.#service.send({ method: "PUT", path, body });
    this.#compareStore(exchange);
    if (!isRefused) this.#refused = isOk(exchange) ? 0 : this.#refused + 1;
    if (exchange.isEvidence || exchange.status === 413) return exchange;
    throw new NoEvidence(`PUT ${path}: status ${exchange.status} is not evidence`);
  }

  /** Restores the store. Returns the data that remain changed. */
  async restore(): Promise<string[]> {
    if (!this.#isWritten) return [];
    if (!(await this.#isThere())) {
      if (this.#isLost)
        return [`the store "${this.#externalId}", which may have the ID "${String(this.#alias)}" now`];
      // there is nothing left to restore
      for (const path of this.#touchedPaths) await this.#ledger.append({ type: "undone", path });
      return [];
    }
    const left: string[] = this.isNew ? [`the store "${this.#externalId}", which this run created`] : [];
    // the fields of a new store are those of this run anyway
    if (this.isNew) await this.#ledger.append({ type: "undone", path: this.path });
    else if (this.#isTouched && !(await this.#restorePath(this.path, this.#body(), contains)))
      left.push(`the fields of the store "${this.#externalId}"`);
    for (const name of this.lists.restorable) {
      const original = this.lists.original(name);
      const hasRows = (value: JsonObject): boolean =>
        contains({ [name]: inputsOf(name, objectsIn(value.items)) }, original);
      if (!(await this.#restorePath(`${this.path}/${name}`, original, hasRows)))
        left.push(`the ${name} of the store "${this.#externalId}"`);
    }
    return left;
  }

  get #touchedPaths(): string[] {
    const lists = [...this.lists.touched].map((name) => `${this.path}/${name}`);
    return this.#isTouched ? [this.path, ...lists] : lists;
  }

  /** Whether the store still exists; one that has another ID gets its own back. No response says that it does not. */
  async #isThere(): Promise<boolean> {
    const exchange = await readStored(this.#service, this.path);
    if (exchange === undefined) return true;
    this.#compareStore(exchange);
    if (exchange.status !== 404) return true;
    const alias = this.#alias;
    if (alias !== undefined && (await restoreName(this.#service, storePath(alias), this.#renamed())))
      return true;
    this.#isGone = true;
    return false;
  }

  #renamed(): JsonObject {
    return this.#body({ externalId: this.#externalId });
  }

  async #restorePath(
    path: string,
    body: JsonObject,
    isRestored: (value: JsonObject, body: JsonObject) => boolean,
  ): Promise<boolean> {
    const isDone = this.isNew
      ? await restorePath(this.#service, path, body)
      : await restoreVisibly(this.#service, path, body, (read) => isRestored(bodyOf(read), body));
    if (!isDone) return false;
    await this.#ledger.append({ type: "undone", path });
    return true;
  }
}

/** Whether an object has properties with these values. */
function contains(value: JsonObject, properties: JsonObject): boolean {
  return Object.entries(properties).every(([name, property]) => isSameJson(value[name], property));
}
