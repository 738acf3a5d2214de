import {
  type CallOptions,
  callOptions,
  ConfigurationError,
  findOne,
  isPatched,
  mayHaveBeenProcessed,
  sendOnce,
  sleep,
  type SyncRuntime,
} from "./clients.ts";
import { isObject } from "../wire/json.ts";
import { type EnsurableResource, type Entities, type Entity, EntityReader } from "./ensure-entities.ts";
import { Intention, Records, second } from "./ensure-records.ts";
import {
  ambiguous,
  compare,
  type EnsureOptions,
  type EnsureResult,
  fail,
  failuresOf,
  idOf,
  keyReader,
  type NameOf,
  readRows,
  type Row,
  unusable,
} from "./ensure-rows.ts";
import { difference, finishJob, RowError } from "./errors.ts";
import { containsJson } from "./json.ts";
import { OutageGuard, runEach, runInOrder } from "./tasks.ts";

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

/** A run that has not saved its intention again for this time was killed, in ms. */
const silence = 4 * second;

/** The time after which a POST without a result was not processed if the list does not show its entity, in ms. */
const tenMinutes = 600_000;

/** A run of `ensure`. */
class Ensure<Input extends object> {
  readonly #resource: EnsurableResource<Input>;
  readonly #nameOf: NameOf;
  readonly #options: EnsureOptions<Input>;
  readonly #call: CallOptions;
  readonly #runtime: SyncRuntime;
  readonly #entities: EntityReader;
  readonly #operation: string;
  readonly #records: Records;
  readonly #outage = new OutageGuard();
  /** Why nothing more is created. */
  #noCreation: RowError | undefined;
  /** The longest time after which the list shows what was created, in ms, as far as this run has seen it. */
  #lag = Infinity;

  constructor(resource: EnsurableResource<Input>, nameOf: NameOf, options: EnsureOptions<Input>) {
    this.#resource = resource;
    this.#nameOf = nameOf;
    this.#options = options;
    this.#call = callOptions(options);
    this.#runtime = options.runtime ?? globalThis;
    this.#entities = new EntityReader(resource, nameOf, this.#call);
    const list = resource.list(undefined, this.#call);
    this.#operation = list.operation;
    this.#records = new Records(typeof options.sink === "object" ? options.sink : undefined, list);
  }

  async run(rows: readonly Row<Input>[]): Promise<EnsureResult<Input>[]> {
    const open = rows.filter(({ result }) => result.outcome === "skipped");
    const names = open.map(({ name }) => name);
    const found = await this.#entities.find(names);
    await this.#records.read(names);
    // the first one shows whether the service keeps keys as they are sent
    const isNew = ({ name }: Row<Input>): boolean =>
      found.exact(name).length === 0 && this.#records.get(name).kind !== "intended";
    const first = open.find(isNew);
    if (first !== undefined) await this.#ensureOne(first, found);
    const others = open.filter((row) => row !== first);
    await this.#ensureAll(others, found);
    const { wait = 5000 } = this.#options;
    const waited = await this.#lookAgain(rows, wait);
    if (waited >= silence) await this.#finishOthers(rows.filter(({ awaited }) => awaited !== undefined));
    return rows.map(({ result }) => result);
  }

  async #ensureAll(rows: readonly Row<Input>[], entities: Entities): Promise<void> {
    const { concurrency, signal } = this.#options;
    await runEach(rows, { concurrency, signal }, (row) => this.#ensureOne(row, entities));
  }

  /** Creates or updates one entity. */
  async #ensureOne(row: Row<Input>, entities: Entities): Promise<void> {
    const { name, result } = row;
    const [found, ...others] = entities.exact(name);
    result.id = found && idOf(found.sent);
    if (found === undefined && this.#noCreation !== undefined)
      return void Object.assign(result, { error: new RowError(name, "create", this.#noCreation) });
    result.action = found === undefined ? "create" : "update";
    try {
      if (others.length > 0) throw ambiguous(`is that of ${others.length + 1} entities`);
      if (found === undefined) await this.#createOnce(row, entities);
      else await this.#change(row, found);
      if (found !== undefined) await this.#noteListed(row);
      this.#outage.noteSuccess();
    } catch (cause) {
      this.#call.signal?.throwIfAborted();
      if (this.#outage.isEnd(cause)) throw cause;
      fail(row, result.action ?? "update", cause);
    }
  }

  /** Creates an entity that the list does not show, unless a run before or beside this one has begun to. */
  async #createOnce(row: Row<Input>, entities: Entities): Promise<void> {
    const { name, result } = row;
    const { allowSimilar = false, dryRun = false, key } = this.#options;
    const [similar] = entities.similar(name);
    if (similar !== undefined && !allowSimilar)
      throw ambiguous(`is similar to ${similar.name}, which exists: write it so, or set \`allowSimilar\``);
    if (isId(key)) throw unusable("id", "is not that of an entity of the list");
    const record = this.#records.get(name);
    if (record.kind === "created") {
      const { id } = record;
      const sent = await findOne(this.#entities.read(id));
      if (sent !== undefined) return this.#change(row, { name, sent, item: sent });
      const message = `is ${id} since an earlier run, and neither the list nor \`get\` shows it`;
      // if the list has shown it, it was deleted
      if (!record.isListed) throw Object.assign(unusable("id", message), { retryable: true });
    }
    if (dryRun) return void (result.outcome = "planned");
    if (record.kind === "intended" && !this.#isAbandoned(row, record)) return this.#awaitOther(row);
    await this.#create(row);
  }

  /** Whether a run that has begun to create an entity does not do it any more, and the list would show it if it had. */
  #isAbandoned({ name, awaited }: Row<Input>, { last }: { last: number }): boolean {
    const now = this.#runtime.Date.now();
    const isSilent = awaited !== undefined && awaited === this.#records.textOf(name);
    return (isSilent && now - last >= this.#lag) || now - last >= tenMinutes;
  }

  /** Leaves an entity to another run that has begun to create it. */
  #awaitOther(row: Row<Input>): void {
    row.awaited = this.#records.textOf(row.name);
    fail(row, "create", {
      message:
        "ensure: another run has begun to create it, and the list does not show it yet: run again later",
      retryable: true,
      mayHaveBeenProcessed: true,
    });
  }

  /** Creates an entity, unless another run has begun to. */
  async #create(row: Row<Input>): Promise<void> {
    const { name, wanted, result } = row;
    const intention = await Intention.begin(this.#records, name, this.#runtime);
    if (intention === undefined) return this.#awaitOther(row);
    row.awaited = undefined;
    let response: unknown;
    try {
      response = await intention.send((lost) => this.#post(wanted, lost));
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      row.isPosted = mayHaveBeenProcessed(error);
      if (!row.isPosted) await intention.end({ kind: "none" });
      throw error;
    }
    row.isPosted = true;
    const id = idOf(response);
    result.id = id;
    if (id !== undefined) await intention.end({ kind: "created", at: intention.at, id, isListed: false });
    const now = await this.#entities.readShown(response, id, wanted);
    const kept = isObject(now) ? this.#nameOf(now) : undefined;
    const message = `the service has written ${kept}: another run would create it again`;
    if (kept === undefined || kept === name) return compare(row, now);
    fail(row, "create", difference("ensure", [{ path: "key", message }]));
    this.#noCreation ??= result.error;
  }

  #post(wanted: Input, lost: AbortSignal): PromiseLike<unknown> | undefined {
    const { signal = lost } = this.#call;
    const call = { ...this.#call, signal: AbortSignal.any([lost, signal]) };
    return this.#resource.submit?.(wanted, call) ?? this.#resource.create?.(wanted, call);
  }

  /** Changes an entity that differs. It is read directly before it is written. */
  async #change(row: Row<Input>, found: Entity): Promise<void> {
    const { wanted, result } = row;
    const { update = true, dryRun = false } = this.#options;
    const id = idOf(found.sent);
    result.id = id;
    if (id === undefined) throw unusable("id", "is missing");
    if ((idOf(wanted) ?? id) !== id) throw unusable("id", "is not that of the entity with this key");
    const finish = (outcome: "unchanged" | "kept"): void =>
      void Object.assign(result, { action: undefined, outcome });
    // a summary of a list may lack properties of the entity
    if (containsJson(found.sent, wanted, true)) return finish("unchanged");
    const current = await this.#entities.readWhole(found, id);
    if (containsJson(current, wanted)) return finish("unchanged");
    if (!update) return finish("kept");
    if (dryRun) return void (result.outcome = "planned");
    const body = isPatched(this.#operation) ? wanted : { ...current, ...wanted };
    const write = async (): Promise<unknown> => this.#resource.update(id, body, this.#call);
    const look = async (): Promise<unknown> => {
      const now = await this.#entities.read(id);
      return containsJson(now, wanted) ? now : undefined;
    };
    const response = await sendOnce(write, look, this.#call.signal);
    compare(row, await this.#entities.readShown(response, id, wanted));
  }

  /**
   * Looks for the created entities in the list until it shows all of them, or the time is over. Returns how long it has waited,
   * in ms.
   */
  async #lookAgain(rows: readonly Row<Input>[], longestWait: number): Promise<number> {
    const { signal } = this.#options;
    let open = rows.filter(
      ({ result, isPosted, awaited }) =>
        awaited !== undefined || (isPosted && ["done", "failed"].includes(result.outcome)),
    );
    let waited = 0;
    for (let pause = 250; open.length > 0; ) {
      const found = await this.#entities.look(open.map(({ name }) => name)).catch(() => undefined);
      signal?.throwIfAborted();
      if (found === undefined) break; // the results are those of the writes
      for (const row of open) await this.#judge(row, found.exact(row.name));
      open = open.filter(({ name }) => found.exact(name).length === 0);
      pause = Math.min(2 * pause, longestWait - waited);
      if (open.length === 0 || pause <= 0) break;
      await sleep(this.#runtime, pause, signal === undefined ? [] : [signal]);
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
    return waited;
  }

  /** Creates what another run has begun to create and does not do any more. */
  async #finishOthers(rows: readonly Row<Input>[]): Promise<void> {
    const names = rows.map(({ name }) => name);
    const found = await this.#entities.find(names).catch(() => undefined);
    this.#call.signal?.throwIfAborted();
    if (found === undefined) return;
    await this.#records.read(names);
    await this.#ensureAll(rows, found);
    // the run has waited already
    const { wait = second } = this.#options;
    const posted = rows.filter(({ isPosted }) => isPosted);
    await this.#lookAgain(posted, Math.min(wait, second));
  }

  /** Judges a created entity by the list. */
  async #judge(row: Row<Input>, [entity, ...others]: Entity[]): Promise<void> {
    if (entity === undefined) return;
    const { result, wanted } = row;
    row.awaited = undefined;
    result.id = idOf(entity.sent);
    await this.#noteListed(row);
    if (others.length > 0) return fail(row, "create", ambiguous(`is that of ${others.length + 1} entities`));
    if (result.outcome !== "failed") return;
    compare(row, await this.#entities.readShown(entity.sent, result.id, wanted).catch(() => entity.sent));
  }

  /** Remembers that the list shows an entity, if a run has created it. */
  async #noteListed({ name, result: { id } }: Row<Input>): Promise<void> {
    const record = this.#records.get(name);
    if (record.kind === "none") return;
    const age = this.#runtime.Date.now() - record.at;
    if (age >= 0) this.#lag = Math.min(this.#lag, age); // else the clock was put back
    if (id === undefined || this.#options.dryRun === true) return;
    if (record.kind === "created" && record.isListed && record.id === id) return;
    await this.#records.save(name, { kind: "created", at: record.at, id, isListed: true });
  }
}

/** Whether a key is the ID that the service gives to an entity, so that nothing can be created. */
function isId<Input>(key: EnsureOptions<Input>["key"]): boolean {
  return [key].flat().includes("id" as never);
}

function requireSink<Input>({ sink, key, dryRun = false }: EnsureOptions<Input>): void {
  const isNeeded = !dryRun && !isId(key);
  const isSink = typeof sink === "object" && typeof (sink as typeof sink | null)?.saveRecord === "function";
  if (sink === "none" || isSink || (sink === undefined && !isNeeded)) return;
  throw new ConfigurationError(
    'ensure: sink is needed, because a POST cannot be repeated: pass a sink such as sqliteSink(db, "created"), or "none" if ' +
      "only the list is to show what exists",
  );
}
