import {
  type CallOptions,
  callOptions,
  concernsAll,
  ConfigurationError,
  InvalidRequestError,
  isNotFound,
  type Store,
  type StoreApi,
  WriteError,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { conflict, RowError } from "./errors.ts";
import { type ExpositionOptions, writeExpositions } from "./expositions.ts";
import { copyJson } from "./json.ts";
import { type ListResource, modifyList, modifyStore, writeStore } from "./modify.ts";
import { requireStore } from "./part-checks.ts";
import {
  complete,
  differing,
  type Equals,
  isSameList,
  listParts,
  type PartName,
  pick,
  storePart,
} from "./parts.ts";
import { sortedJson } from "./json.ts";
import {
  findRowIssues,
  hashKept,
  type KeptParts,
  type PlannedStore,
  type StoreChanges,
  type StorePlan,
} from "./plan.ts";
import { checkOptions, readCount, runEach, runInOrder } from "./tasks.ts";

/** The options of `applyPlan`. */
export interface ApplyOptions extends CallOptions, ExpositionOptions {
  /** The number of stores that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Compares a desired value with that of the service, by the name of the property: `name`, `contacts.phone`. */
  equals?: Equals | undefined;
  /** Validates and sends nothing: the outcomes are `planned`, `unchanged` and `failed` (default: false). */
  dryRun?: boolean | undefined;
  /** Called with the result of each row. An error that it throws ends the run after the rows in progress. */
  onResult?: ((result: ApplyResult, progress: { done: number; total: number }) => unknown) | undefined;
}

/** The result for one row. */
export interface ApplyResult {
  /** The index of the row in the desired stores. */
  row: number;
  externalId: string;
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the store. `unchanged`: nothing differed. `conflict`: another program created or changed it
   * since the plan. `differs`: the service kept other values. `failed`: `error` is the reason. `skipped`: not tried,
   * because an earlier failure concerns all stores. `planned`: a dry run.
   */
  outcome: "done" | "unchanged" | "conflict" | "differs" | "failed" | "skipped" | "planned";
  /** The properties and lists of the plan. */
  changes: StoreChanges;
  /** The parts of the store that the service has now. */
  written: PartName[];
  /** The parts that the service keeps in another form: give them to the next `planStores`, so that it does not repeat them. */
  kept?: KeptParts;
  /** The reason, unless the outcome is `done`, `unchanged` or `planned`. Its message names the row and the part. */
  error?: unknown;
}

interface Task {
  row: number;
  externalId: string;
  action: "create" | "update";
  changes: StoreChanges;
  before: PlannedStore | undefined;
  kept?: KeptParts;
}

/**
 * Creates and updates the stores of a plan, row by row. A row that fails does not stop the others; a rejected token does.
 * Each store is read before it is written, and what another program changed since the plan is a `conflict`. A store that
 * has the planned values already is done, so that a plan can be applied again. Nothing is deleted.
 * @returns a result for each row, in their order, also for those that failed in the plan
 * @throws {ConfigurationError} for a client of another service or tenant than that of the plan
 * @throws the reason of the signal if it is aborted; `onResult` has the results until then
 * @example const results = await applyPlan(store, plan, { onResult: ({ externalId, outcome }) => log(externalId, outcome) });
 */
export async function applyPlan(
  store: StoreApi,
  plan: StorePlan,
  options: ApplyOptions = {},
): Promise<ApplyResult[]> {
  checkOptions("applyPlan", options, ["concurrency", "equals", "dryRun", "onResult", "absent", "matchBy"]);
  const concurrency = readCount("applyPlan: concurrency", options.concurrency, 4);
  const call = callOptions(options);
  const { dryRun = false, onResult } = options;
  checkPlan(plan, store);
  const copy = copyJson({ ...plan, failed: [], extra: [] }) as StorePlan; // the same without errors
  const tasks: Task[] = [
    ...copy.create.map((row): Task => ({ ...row, action: "create", before: undefined })),
    ...copy.update.map((row): Task => ({ ...row, action: "update" })),
  ];
  let fatal: { error: unknown } | undefined;
  if (!dryRun && copy.known !== undefined && copy.create.length > 0)
    fatal = await requireSameTenant(store, copy.known, call);
  const nothing = { action: undefined, changes: {}, written: [] };
  const rows = [
    ...tasks.map((task) => ({ row: task.row, run: () => runTask(task) })),
    ...copy.unchanged.map((place) => ({
      row: place.row,
      run: (): ApplyResult => ({ ...nothing, ...place, outcome: "unchanged" }),
    })),
    ...plan.failed.map(({ row, externalId, message, error }) => ({
      row,
      // a plan that was saved has no errors
      run: (): ApplyResult => ({ ...nothing, row, externalId, outcome: "failed", error: error ?? message }),
    })),
  ].toSorted((a, b) => a.row - b.row);
  let done = 0;
  return runEach(rows, { concurrency, signal: call.signal }, async ({ run }) => {
    const result = await run();
    done += 1;
    await onResult?.(result, { done, total: rows.length });
    return result;
  });

  async function runTask(task: Task): Promise<ApplyResult> {
    const { row, externalId, action, changes, kept } = task;
    const result = { row, externalId, action, changes, written: [], ...(kept && { kept }) };
    if (fatal !== undefined) return { ...result, outcome: "skipped", error: fatal.error };
    const writer = new RowWriter(store, task, options, call);
    const error = await writer.run(dryRun);
    call.signal?.throwIfAborted();
    if (error !== undefined && concernsAll(error.cause)) fatal ??= { error: error.cause };
    const all = { ...kept, ...writer.kept };
    return {
      ...result,
      outcome: error === undefined ? (dryRun ? "planned" : "done") : outcomeOf(error.cause),
      written: writer.written,
      ...(Object.keys(all).length > 0 && { kept: all }),
      ...(error !== undefined && { error }),
    };
  }
}

/** Writes the parts of one store. */
class RowWriter {
  readonly written: PartName[] = [];
  readonly kept: { -readonly [Name in PartName]?: string } = {};
  readonly #store: StoreApi;
  readonly #task: Task;
  readonly #options: ApplyOptions;
  readonly #call: CallOptions;
  /** This run has created the store: its lists are those of the service's defaults. */
  #isCreated = false;

  constructor(store: StoreApi, task: Task, options: ApplyOptions, call: CallOptions) {
    this.#store = store;
    this.#task = task;
    this.#options = options;
    this.#call = call;
  }

  /** Returns the first error. A part that the service keeps in another form does not stop the other parts. */
  async run(dryRun: boolean): Promise<RowError | undefined> {
    const { externalId, changes } = this.#task;
    let part: PartName = "store";
    let first: RowError | undefined;
    const parts = (["contacts", "expectations", "expositions"] as const).filter(
      (name) => changes[name] !== undefined,
    );
    try {
      const issues = await findRowIssues({ ...changes, externalId });
      if (issues.length > 0) throw new InvalidRequestError("applyPlan", issues);
      if (dryRun) return undefined;
    } catch (error) {
      return new RowError(externalId, part, error);
    }
    for (part of ["store", ...parts] as const) {
      try {
        await (part === "store" ? this.#writeStore() : this.#writeList(part));
        if (part !== "store" || this.#hasOwn) this.written.push(part);
      } catch (error) {
        first ??= new RowError(externalId, part, error);
        if (!(error instanceof WriteError && error.reason === "differs")) return first;
        await this.#keep(part).catch(() => {}); // the next run compares again
      }
    }
    return first;
  }

  get #own(): JsonObject {
    return pick(storePart, this.#task.changes);
  }

  get #hasOwn(): boolean {
    return this.#task.action === "create" || Object.keys(this.#own).length > 0;
  }

  /** Writes the properties of the store. Also reads it for an update of lists: its ID may be that of another store now. */
  #writeStore(): Promise<unknown> {
    const { stores } = this.#store;
    const { externalId, before } = this.#task;
    const settings = { call: this.#call, equals: this.#options.equals };
    const own = this.#own;
    return runInOrder(stores, externalId, this.#call.signal, async () => {
      const { label } = storePart;
      if (before !== undefined)
        return modifyStore(
          stores,
          externalId,
          (now) => requireAsPlanned(before, own, now, settings.equals),
          settings,
        );
      const existing = await findStore(stores, externalId, this.#call);
      if (existing === undefined) {
        const created = await writeStore(stores, externalId, own, settings);
        this.#isCreated = true;
        return created;
      }
      // a run that was killed may have created it
      const paths = differing(storePart, own, requireStore(existing, externalId), settings.equals);
      if (paths.length > 0)
        throw conflict(label, paths, "is that of a store that another program has created");
      return existing;
    });
  }

  #writeList(name: "contacts" | "expectations" | "expositions"): Promise<unknown> {
    const part = listParts[name];
    const { externalId, changes, before } = this.#task;
    const { equals, absent, matchBy } = this.#options;
    const desired: readonly object[] = changes[name] ?? [];
    const planned: readonly object[] = before?.[name] ?? [];
    const inspect = (now: readonly object[]): void => {
      if (this.#isCreated || isSameList(part, planned, now)) return;
      throw conflict(part.label, [name], "were changed by another program since the plan");
    };
    const resource = this.#store[name];
    const settings = { call: this.#call, equals };
    return runInOrder(resource, externalId, this.#call.signal, async () => {
      if (name === "expositions") {
        const all = { ...settings, absent, matchBy, inspect };
        return writeExpositions(this.#store.expositions, externalId, changes.expositions ?? [], all);
      }
      const change = (now: object[]): readonly object[] => {
        if (isSameList(part, desired, now, equals)) return now;
        inspect(now);
        // an element that the list has already keeps what the contract does not name
        const unused = Map.groupBy(now, (item) => sortedJson(complete(part, item)));
        return desired.map((element) => unused.get(sortedJson(complete(part, element)))?.shift() ?? element);
      };
      return modifyList(resource as ListResource, externalId, change, settings, part); // its methods take inputs
    });
  }

  /** Remembers the form in which the service keeps a part. */
  async #keep(name: PartName): Promise<void> {
    const { externalId, changes } = this.#task;
    if (name === "store") {
      const now = await this.#store.stores.get(externalId, this.#call);
      const paths = differing(storePart, this.#own, now, this.#options.equals);
      const values = Object.fromEntries(paths.map((path) => [path, this.#own[path]]));
      this.kept.store = hashKept(storePart, values, now);
      return;
    }
    const { items } = await this.#store[name].get(externalId, this.#call);
    this.kept[name] = hashKept(listParts[name], changes[name] ?? [], items);
  }
}

/** Returns the changes if the store is the planned one, and has the values of the plan or the desired ones. */
function requireAsPlanned(
  before: PlannedStore,
  own: JsonObject,
  now: Store,
  equals: Equals | undefined,
): JsonObject {
  const { label } = storePart;
  const replaced = differing(storePart, { storeId: before.storeId }, now);
  if (replaced.length > 0) throw conflict(label, replaced, "is that of another store than in the plan");
  const open = differing(storePart, own, now, equals);
  const planned: JsonObject = { ...before };
  const expected = Object.fromEntries(open.map((name) => [name, planned[name]]));
  const changed = differing(storePart, expected, now);
  if (changed.length > 0) throw conflict(label, changed, "was changed by another program since the plan");
  return Object.fromEntries(open.map((name) => [name, own[name]]));
}

async function findStore(
  stores: StoreApi["stores"],
  externalId: string,
  call: CallOptions,
): Promise<Store | undefined> {
  try {
    return await stores.get(externalId, call);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A store of the plan shows that the token is that of the same tenant. Returns an error that concerns all rows. */
async function requireSameTenant(
  { stores }: StoreApi,
  { externalId, storeId }: NonNullable<StorePlan["known"]>,
  call: CallOptions,
): Promise<{ error: unknown } | undefined> {
  let found: Store | undefined;
  try {
    found = await findStore(stores, externalId, call);
  } catch (error) {
    call.signal?.throwIfAborted();
    return { error };
  }
  if (found !== undefined && differing(storePart, { storeId }, found).length === 0) return undefined;
  throw new ConfigurationError(
    `applyPlan: nothing was written: the store "${externalId}" of the plan ` +
      `${found === undefined ? "does not exist" : "is another one"} for this client. Use the token whose stores were ` +
      "compared; if the store was renamed, make the plan again",
  );
}

function outcomeOf(cause: unknown): ApplyResult["outcome"] {
  if (!(cause instanceof WriteError)) return "failed";
  return cause.reason === "conflict" || cause.reason === "differs" ? cause.reason : "failed";
}

/** Rejects a value that is not a plan, and a plan of another service. */
function checkPlan(plan: StorePlan, { baseUrl }: StoreApi): void {
  const lists: unknown[] = isObject(plan)
    ? [plan.create, plan.update, plan.unchanged, plan.failed]
    : [undefined];
  const areRows = lists.every((list) => Array.isArray(list) && list.every(isRow));
  const areUpdates =
    areRows &&
    plan.update.every(({ before, externalId }) => isObject(before) && before.externalId === externalId);
  if (!areUpdates) throw new ConfigurationError("applyPlan: the plan must be the result of planStores");
  if (plan.baseUrl !== undefined && baseUrl !== undefined && plan.baseUrl !== baseUrl)
    throw new ConfigurationError(
      `applyPlan: the plan is that of ${plan.baseUrl}, and the client is one of ${baseUrl}`,
    );
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value.externalId === "string" && Number.isSafeInteger(value.row);
}
