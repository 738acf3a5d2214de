import { describeType } from "./callbacks.ts";
import {
  type CallOptions,
  callOptions,
  concernOf,
  ConfigurationError,
  isNotFound,
  isPatched,
  mayHaveBeenProcessed,
  ShelfleetError,
  statusOf,
  type SyncRuntime,
} from "./clients.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { EntityList, type Entities, type Entity } from "./ensure-list.ts";
import type { EnsurableResource, EnsureOptions, EnsureResult } from "./ensure-options.ts";
import { Records } from "./ensure-records.ts";
import {
  ambiguous,
  compare,
  fail,
  failuresOf,
  idOf,
  keyReader,
  type NameOf,
  readRows,
  type Row,
  unusable,
} from "./ensure-rows.ts";
import { conflict, difference, finishJob, type RowError } from "./errors.ts";
import { containsJson, copyJson, isSameJson } from "./json.ts";
import { OutageGuard, runEach, runInOrder, wait } from "./tasks.ts";

/**
 * Creates the entities that the service does not have, and changes those that differ. A second run changes nothing. A POST
 * whose response was lost is not repeated: the list, which is read twice, shows whether it was processed, and the sink remembers
 * what was begun.
 * @returns a result for each desired entity, in their order
 * @throws {JobError} if one has failed; it has the results
 * @throws the error of the list; what concerns all entities, such as a rejected key; the reason of the signal
 * @example await ensure(fleet.damages, damages, { key: "description", sink: sqliteSink(db, "reported") });
 */
export async function ensure<Input extends object>(
  resource: EnsurableResource<Input>,
  desired: Iterable<Input>,
  options: EnsureOptions<Input>,
): Promise<EnsureResult<Input>[]> {
  const given = { ...options };
  const nameOf = keyReader(given.key);
  requireSink(given);
  const rows = readRows(desired, nameOf);
  const run = new Ensure(resource, nameOf, given);
  const results = await runInOrder(resource, "ensure", given.signal, () => run.run(rows));
  return finishJob("ensure", failuresOf(results), results);
}

/** The default of `settle`. */
const tenMinutes = 600_000;

/** The longest time that a timer takes, in ms. */
const longestTimer = 2 ** 31 - 1;

/** A run of `ensure`. */
class Ensure<Input extends object> {
  readonly #resource: EnsurableResource<Input>;
  readonly #nameOf: NameOf;
  readonly #options: EnsureOptions<Input>;
  readonly #call: CallOptions;
  readonly #runtime: SyncRuntime;
  readonly #list: EntityList;
  readonly #operation: string;
  readonly #records: Records;
  readonly #outage = new OutageGuard();
  /** Why nothing more is created. */
  #noCreation: RowError | undefined;

  constructor(resource: EnsurableResource<Input>, nameOf: NameOf, options: EnsureOptions<Input>) {
    this.#resource = resource;
    this.#nameOf = nameOf;
    this.#options = options;
    this.#call = callOptions(options);
    this.#runtime = options.runtime ?? globalThis;
    this.#list = new EntityList(resource, nameOf, this.#call);
    const list = resource.list(undefined, this.#call);
    this.#operation = list.operation;
    this.#records = new Records(typeof options.sink === "object" ? options.sink : undefined, list);
  }

  async run(rows: readonly Row<Input>[]): Promise<EnsureResult<Input>[]> {
    const { concurrency, signal } = this.#options;
    const open = rows.filter(({ result }) => result.outcome === "skipped");
    const found = await this.#list.find(open.map(({ name }) => name));
    await this.#records.read(open.map(({ name }) => name));
    // the first one shows whether the service keeps keys as they are sent
    const first = open.find(({ name }) => found.exact(name).length === 0);
    if (first !== undefined) await this.#ensureOne(first, found);
    const others = open.filter((row) => row !== first);
    await runEach(others, { concurrency, signal }, (row) => this.#ensureOne(row, found));
    await this.#lookAgain(rows);
    return rows.map(({ result }) => result);
  }

  /** Creates or updates one entity. */
  async #ensureOne(row: Row<Input>, entities: Entities): Promise<void> {
    const { name, result } = row;
    const [found, ...others] = entities.exact(name);
    result.id = found && idOf(found.sent);
    if (found === undefined && this.#noCreation !== undefined)
      return void Object.assign(result, { error: this.#noCreation });
    result.action = found === undefined ? "create" : "update";
    try {
      if (others.length > 0) throw ambiguous(`is that of ${others.length + 1} entities`);
      if (found === undefined) await this.#createOnce(row, entities);
      else await this.#change(row, found);
      if (found !== undefined) await this.#noteListed(row);
      this.#outage.end();
    } catch (cause) {
      this.#call.signal?.throwIfAborted();
      if (concernOf(cause) === "everything") throw cause;
      fail(row, result.action ?? "update", cause);
      this.#outage.note(cause);
    }
  }

  /** Creates an entity that the list does not show, unless a run before or beside this one has begun to. */
  async #createOnce(row: Row<Input>, entities: Entities): Promise<void> {
    const { name, result } = row;
    const { allowSimilar = false, dryRun = false, key, settle = tenMinutes } = this.#options;
    const [similar] = entities.similar(name);
    if (similar !== undefined && !allowSimilar)
      throw ambiguous(`is similar to ${similar.name}, which exists: write it so, or set \`allowSimilar\``);
    if ([key].flat().includes("id" as never)) throw unusable("id", "is not that of an entity of the list");
    const record = this.#records.get(name);
    if (record.kind === "created") return this.#adopt(row, record);
    if (dryRun) return void (result.outcome = "planned");
    const now = this.#runtime.Date.now();
    const isBegun = record.kind === "intended" && now < record.at + settle;
    // what another run has begun is looked for in the list
    if (isBegun || !(await this.#records.save(name, { kind: "intended", at: now })))
      return this.#awaitOther(row);
    await this.#create(row);
  }

  /** Waits for the entity of another run. */
  #awaitOther(row: Row<Input>): void {
    row.isPosted = true;
    fail(row, "create", {
      message:
        "ensure: another run has begun to create it, and the list does not show it yet: run again later",
      retryable: true,
      mayHaveBeenProcessed: true,
    });
  }

  /** Finds an entity that an earlier run has created, and that the list does not show. */
  async #adopt(row: Row<Input>, { id, isListed }: { id: string; isListed: boolean }): Promise<void> {
    const entity = await this.#read(id).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (entity !== undefined) {
      row.result.id = id;
      return this.#change(row, { name: row.name, sent: entity, item: entity });
    }
    const { dryRun = false } = this.#options;
    if (!isListed)
      throw Object.assign(
        unusable("id", `is ${id} since an earlier run, and neither the list nor \`get\` shows it`),
        {
          retryable: true,
        },
      );
    // the list has shown it, and does not any more: it was deleted
    if (dryRun) return void (row.result.outcome = "planned");
    const intention = { kind: "intended", at: this.#runtime.Date.now() } as const;
    if (await this.#records.save(row.name, intention)) await this.#create(row);
    else this.#awaitOther(row);
  }

  async #create(row: Row<Input>): Promise<void> {
    const { name, wanted, result } = row;
    let response: unknown;
    try {
      response = await this.#post(wanted);
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      row.isPosted = mayHaveBeenProcessed(error);
      if (!row.isPosted) await this.#records.save(name, { kind: "none" });
      throw error;
    }
    row.isPosted = true;
    result.id = idOf(response);
    if (result.id !== undefined)
      await this.#records.save(name, { kind: "created", id: result.id, isListed: false });
    const now = await this.#readShown(response, result.id, wanted);
    const kept = isObject(now) ? this.#nameOf(now) : undefined;
    const message = `the service has written ${kept}: another run would create it again`;
    if (kept === undefined || kept === name) return compare(row, now);
    fail(row, "create", difference("ensure", [{ path: "key", message }]));
    this.#noCreation ??= result.error;
  }

  /** Sends a POST, which ends long before another run takes its intention for one that was not processed. */
  async #post(wanted: Input): Promise<unknown> {
    const { settle = tenMinutes } = this.#options;
    const limit = AbortSignal.timeout(Math.min(settle / 2, longestTimer));
    const { signal } = this.#call;
    const call = { ...this.#call, signal: signal === undefined ? limit : AbortSignal.any([limit, signal]) };
    try {
      return await (this.#resource.submit?.(wanted, call) ?? this.#resource.create?.(wanted, call));
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      const message = "ensure: the request took more than half of `settle`";
      throw Object.assign(new ShelfleetError(message), { name: "TimeoutError", mayHaveBeenProcessed: true });
    }
  }

  /** Changes an entity that differs. It is read directly before it is written. */
  async #change(row: Row<Input>, found: Entity): Promise<void> {
    const { wanted, result } = row;
    const { update = true, dryRun = false } = this.#options;
    const id = idOf(found.sent);
    if (id === undefined) throw unusable("id", "is missing");
    if ((idOf(wanted) ?? id) !== id) throw unusable("id", "is not that of the entity with this key");
    const finish = (outcome: "unchanged" | "kept"): void =>
      void Object.assign(result, { action: undefined, outcome });
    // a summary of a list may lack properties of the entity
    if (containsJson(found.sent, wanted, true)) return finish("unchanged");
    const current = await this.#readWhole(row, found, id);
    if (containsJson(current, wanted)) return finish("unchanged");
    const own = typeof update === "function" ? await this.#callUpdate(update, current, wanted) : wanted;
    if (containsJson(current, copyJson(own))) return finish("unchanged");
    if (update === false) return finish("kept");
    if (dryRun) return void (result.outcome = "planned");
    if (typeof update === "function" && !isSameJson(await this.#readWhole(row, found, id), current))
      throw conflict("ensure", [], "was changed by another program after it was read");
    const isPartial = typeof update === "function" || isPatched(this.#operation);
    const body = isPartial ? own : { ...current, ...wanted };
    const response = await this.#resource.update(id, body, this.#call);
    compare(row, await this.#readShown(response, id, own), own);
  }

  async #callUpdate(
    update: (found: JsonObject, desired: Input) => object | PromiseLike<object>,
    current: JsonObject,
    wanted: Input,
  ): Promise<Input> {
    const own: unknown = await update(structuredClone(current), structuredClone(wanted));
    if (isObject(own)) return own as Input; // what the caller's service takes
    throw new ConfigurationError(`ensure: update must return an object: it returned ${describeType(own)}`);
  }

  /** Returns an entity with all of its properties, as the service sends them where the list shows that. */
  async #readWhole({ name }: Row<Input>, { sent, item }: Entity, id: string): Promise<JsonObject> {
    const detail = await this.#read(id);
    if (detail === undefined) return sent;
    // a shape may have converted a value: what it has made of the list's value is that value
    const listed = objectOf(item);
    const isListed = (property: string): boolean =>
      property in sent && isSameJson(detail[property], listed[property]);
    const values = Object.keys(detail).map((property) => [
      property,
      isListed(property) ? sent[property] : detail[property],
    ]);
    const whole = { ...sent, ...(Object.fromEntries(values) as JsonObject) };
    if (this.#nameOf(whole) !== name) throw unusable("key", "is not that of the list any more");
    return whole;
  }

  /** Returns what a response shows of an entity or, because the contract does not describe the response, what it has. */
  async #readShown(response: unknown, id: string | undefined, wanted: object): Promise<unknown> {
    const isAbout = isObject(response) && (idOf(response) ?? id) === id;
    if (isAbout && containsJson(response, wanted, true)) return response;
    const detail = id === undefined ? undefined : await this.#read(id);
    return detail ?? (isAbout ? response : undefined);
  }

  /** Reads an entity; undefined if the service cannot read one, such as a template (gap templates.get-one). */
  async #read(id: string): Promise<JsonObject | undefined> {
    let detail: unknown;
    try {
      detail = await this.#resource.get(id, this.#call);
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      const status = statusOf(error) ?? 0;
      // the operation does not exist, or the secret may not call it
      if ([403, 404, 405, 501].includes(status) && !isNotFound(error)) return undefined;
      throw error;
    }
    if (detail === undefined) return undefined;
    if (!isObject(detail) || idOf(detail) !== id) throw unusable("id", "is not the requested one");
    return detail;
  }

  /** Looks for the created entities in the list until it shows all of them, or the time is over. */
  async #lookAgain(rows: readonly Row<Input>[]): Promise<void> {
    const { wait: longestWait = 5000, signal } = this.#options;
    let open = rows.filter(({ result, isPosted }) => isPosted && ["done", "failed"].includes(result.outcome));
    for (let waited = 0, pause = 250; open.length > 0; ) {
      const found = await this.#list.look(open.map(({ name }) => name)).catch(() => undefined);
      signal?.throwIfAborted();
      if (found === undefined) break; // the results are those of the writes
      for (const row of open) await this.#judge(row, found.exact(row.name));
      open = open.filter(({ name }) => found.exact(name).length === 0);
      pause = Math.min(2 * pause, longestWait - waited);
      if (open.length === 0 || pause <= 0) break;
      await wait(pause, this.#runtime, signal);
      waited += pause;
    }
    for (const row of open) {
      if (row.result.outcome !== "done") continue;
      fail(row, "create", {
        message: "ensure: it was created, and the list does not show it",
        retryable: true,
      });
      row.result.isListed = false;
    }
  }

  /** Judges a created entity by the list. */
  async #judge(row: Row<Input>, [entity, ...others]: Entity[]): Promise<void> {
    if (entity === undefined) return;
    const { result, wanted } = row;
    result.id = idOf(entity.sent);
    await this.#noteListed(row);
    if (others.length > 0) return fail(row, "create", ambiguous(`is that of ${others.length + 1} entities`));
    if (result.outcome !== "failed") return;
    compare(row, await this.#readShown(entity.sent, result.id, wanted).catch(() => entity.sent));
  }

  /** Remembers that the list shows an entity, if a run has created it. */
  async #noteListed({ name, result: { id } }: Row<Input>): Promise<void> {
    if (id === undefined || this.#options.dryRun === true) return;
    const record = this.#records.get(name);
    if (record.kind === "none" || (record.kind === "created" && record.isListed && record.id === id)) return;
    await this.#records.save(name, { kind: "created", id, isListed: true });
  }
}

function requireSink<Input>({ sink, key, dryRun = false, settle = 1 }: EnsureOptions<Input>): void {
  if (!(settle > 0)) throw new ConfigurationError("ensure: settle must be a positive number of ms");
  const isNeeded = !dryRun && ![key].flat().includes("id" as never);
  const isSink = typeof sink === "object" && typeof (sink as typeof sink | null)?.saveRecord === "function";
  if (sink === "none" || isSink || (sink === undefined && !isNeeded)) return;
  throw new ConfigurationError(
    'ensure: sink is needed, because a POST cannot be repeated: pass a sink such as sqliteSink(db, "created"), or "none" if ' +
      "only the list is to show what exists",
  );
}
