import {
  type CallOptions,
  callOptions,
  concernsAll,
  ConfigurationError,
  findOne,
  type StoreApi,
  WriteError,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { conflict, RowError } from "./errors.ts";
import { type ExpositionOptions, findRowIssues, writeExpositions } from "./expositions.ts";
import { copyJson, sortedJson } from "./json.ts";
import { type ChangeSettings, type ListResource, modifyList, modifyStore, writeStore } from "./modify.ts";
import { refuse, requireStore } from "./part-checks.ts";
import {
  complete,
  differing,
  type Equals,
  findLost,
  hashKept,
  labelOf,
  type ListName,
  listParts,
  type PartName,
  pick,
  storePart,
} from "./parts.ts";
import type { KeptParts, PlannedRow, PlannedStore, StoreChanges, StorePlan } from "./plan.ts";
import { runEach, runInOrder } from "./tasks.ts";

/** The options of `applyPlan`. */
export interface ApplyOptions extends CallOptions, ExpositionOptions {
  /** The number of stores that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Compares a desired value with that of the service, by the name of the property: `name`, `contacts.phone`. */
  equals?: Equals | undefined;
  /** Called with the result of each row. An error that it throws ends the run after the rows in progress. */
  onResult?: ((result: ApplyResult, progress: { done: number; total: number }) => unknown) | undefined;
}

/** The result for one row. `kept` are the parts that the service keeps in another form: give it to the next `planStores`. */
export interface ApplyResult extends PlannedRow {
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the store. `unchanged`: nothing differed. `conflict`: another program created or changed it
   * since the plan. `differs`: the service kept other values. `failed`: `error` is the reason. `skipped`: not tried,
   * because an earlier failure concerns all stores.
   */
  outcome: "done" | "unchanged" | "conflict" | "differs" | "failed" | "skipped";
  /** The properties and lists of the plan. */
  changes: StoreChanges;
  /** The parts of the store that the service has now. */
  written: PartName[];
  /** The reason, unless the outcome is `done` or `unchanged`. Its message names the row and the part. */
  error?: unknown;
}

/** A store to create or to update. */
interface Task extends PlannedRow {
  changes: StoreChanges;
  before?: PlannedStore;
}

/**
 * Creates and updates the stores of a plan, row by row. A row that fails does not stop the others; a rejected token does.
 * Each store is read before it is written, and what another program changed since the plan is a `conflict`. A store that
 * has the planned values already is done, so that a plan can be applied again. Nothing is deleted.
 * @returns a result for each row, in their order, also for those that failed in the plan
 * @throws {ConfigurationError} for a client of another service than that of the plan
 * @throws the reason of the signal if it is aborted; `onResult` has the results until then
 * @example const results = await applyPlan(store, plan, { onResult: ({ externalId, outcome }) => log(externalId, outcome) });
 */
export async function applyPlan(
  store: StoreApi,
  plan: StorePlan,
  options: ApplyOptions = {},
): Promise<ApplyResult[]> {
  const { concurrency = 4 } = options;
  const call = callOptions(options);
  checkPlan(plan, store);
  const { create, update, unchanged, failed } = plan;
  // the same after later changes of the caller
  const tasks = copyJson([...create, ...update, ...unchanged]) as (Task | PlannedRow)[];
  const rows = [...tasks, ...failed].toSorted((a, b) => a.row - b.row);
  let fatal: { error: unknown } | undefined;
  let done = 0;
  return runEach(rows, { concurrency, signal: call.signal }, async (row) => {
    const result = await run(row);
    done += 1;
    await options.onResult?.(result, { done, total: rows.length });
    return result;
  });

  async function run(place: Task | PlannedRow | StorePlan["failed"][number]): Promise<ApplyResult> {
    const { row, externalId, kept } = place;
    const result = { row, externalId, kept, action: undefined, changes: {}, written: [] };
    // a plan that was saved has no errors
    if ("message" in place) return { ...result, outcome: "failed", error: place.error ?? place.message };
    if (!("changes" in place)) return { ...result, outcome: "unchanged" };
    const { changes } = place;
    const action = "before" in place ? "update" : "create";
    if (fatal !== undefined) return { ...result, changes, action, outcome: "skipped", error: fatal.error };
    const written: PartName[] = [];
    const keptNow: KeptParts = { ...kept };
    const error = await writeRow(store, place, { ...options, call }, written, keptNow);
    call.signal?.throwIfAborted();
    if (concernsAll(error?.cause)) fatal ??= { error };
    const all = { ...result, changes, action, written, kept: keptNow } as const;
    if (error === undefined) return { ...all, outcome: "done" };
    const { reason = "" } = error.cause instanceof WriteError ? error.cause : {};
    return { ...all, outcome: reason === "conflict" || reason === "differs" ? reason : "failed", error };
  }
}

type WriteSettings = ApplyOptions & { call: CallOptions };

/**
 * Writes the parts of one store; adds those that are written, and those that the service keeps in another form.
 * @returns the first error. A part that the service keeps in another form does not stop the other parts.
 */
async function writeRow(
  store: StoreApi,
  task: Task,
  settings: WriteSettings,
  written: PartName[],
  kept: KeptParts,
): Promise<RowError | undefined> {
  const { externalId, changes, before } = task;
  const own = pick(storePart, changes);
  const names = (Object.keys(listParts) as ListName[]).filter((name) => changes[name] !== undefined);
  const { equals, call } = settings;
  let first: RowError | undefined;
  let isCreated = false;
  for (const name of ["store", ...names] as const) {
    try {
      if (name === "store") {
        refuse("applyPlan", await findRowIssues({ ...changes, externalId }, settings));
        isCreated = await writeOwn(store.stores, task, own, { call, equals });
        if (before === undefined || Object.keys(own).length > 0) written.push(name);
      } else {
        await writeList(store, name, task, settings, isCreated);
        written.push(name);
      }
    } catch (error) {
      first ??= new RowError(externalId, name, error);
      if (!(error instanceof WriteError && error.reason === "differs")) return first;
      const hash = await readKept(store, name, task, own, settings).catch(() => undefined);
      if (hash !== undefined) kept[name] = hash;
    }
  }
  return first;
}

/** Writes the properties of a store. Also reads it for an update of lists: its ID may be that of another store now. */
function writeOwn(
  stores: StoreApi["stores"],
  { externalId, before }: Task,
  own: JsonObject,
  settings: ChangeSettings,
): Promise<boolean> {
  const label = labelOf(storePart);
  const require = (expected: JsonObject, now: object, message: string): void => {
    const paths = differing(storePart, expected, now, settings.equals);
    if (paths.length > 0) throw conflict(label, paths, message);
  };
  return runInOrder(stores, externalId, settings.call.signal, async () => {
    if (before !== undefined) {
      const planned: JsonObject = { ...before };
      await modifyStore(
        stores,
        externalId,
        (now) => {
          require({ storeId: before.storeId }, now, "is that of another store than in the plan");
          const open = differing(storePart, own, now, settings.equals);
          const expected = Object.fromEntries(open.map((name) => [name, planned[name]]));
          require(expected, now, "was changed by another program since the plan");
          return Object.fromEntries(open.map((name) => [name, own[name]]));
        },
        settings,
      );
      return false;
    }
    const existing = await findOne(stores.get(externalId, settings.call));
    // a run that was killed may have created it
    if (existing !== undefined)
      require(own, requireStore(existing, externalId), "is that of a store that another program has created");
    else await writeStore(stores, externalId, own, settings);
    return existing === undefined;
  });
}

/** Writes a list. That of a store which this run has created holds the service's defaults at most. */
function writeList(
  store: StoreApi,
  name: ListName,
  task: Task,
  settings: WriteSettings,
  isCreated: boolean,
): Promise<unknown> {
  const { externalId, changes, before } = task;
  const { equals, call } = settings;
  const part = listParts[name];
  const desired: readonly object[] = changes[name] ?? [];
  const isSame = (wanted: readonly object[], now: readonly object[]): boolean =>
    findLost(part, wanted, now, equals).length === 0;
  const inspect = (now: readonly object[]): void => {
    if (!isCreated && !isSame(before?.[name] ?? [], now))
      throw conflict(labelOf(part), [name], "were changed by another program since the plan");
  };
  const change = (now: object[]): readonly object[] => {
    if (isSame(desired, now)) return now;
    inspect(now);
    // an element that the list has already keeps what the contract does not name
    const unused = Map.groupBy(now, (item) => sortedJson(complete(part, item)));
    return desired.map((element) => unused.get(sortedJson(complete(part, element)))?.shift() ?? element);
  };
  const resource: ListResource = store[name];
  return runInOrder(resource, externalId, call.signal, () =>
    name === "expositions"
      ? writeExpositions(store.expositions, externalId, changes.expositions ?? [], { ...settings, inspect })
      : modifyList(resource, externalId, change, { call, equals }),
  );
}

/** Returns the hash of a part that the service keeps in another form. */
async function readKept(
  store: StoreApi,
  name: PartName,
  task: Task,
  own: JsonObject,
  { call, equals }: WriteSettings,
): Promise<string> {
  const { externalId, changes } = task;
  if (name !== "store") {
    const { items } = await store[name].get(externalId, call);
    return hashKept(listParts[name], changes[name] ?? [], items);
  }
  const now = await store.stores.get(externalId, call);
  const names = differing(storePart, own, now, equals);
  return hashKept(storePart, Object.fromEntries(names.map((path) => [path, own[path]])), now);
}

/** Rejects a value that is not a plan, and a plan of another service. */
function checkPlan(plan: StorePlan, { baseUrl }: StoreApi): void {
  const { create, update, unchanged, failed } = isObject(plan) ? plan : ({} as Partial<StorePlan>);
  const rows: unknown = [create, update, unchanged, failed].flat();
  if (!Array.isArray(rows) || !rows.every(isRow) || !update?.every(({ before }) => isObject(before)))
    throw new ConfigurationError("applyPlan: the plan must be the result of planStores");
  if (plan.baseUrl !== undefined && baseUrl !== undefined && plan.baseUrl !== baseUrl)
    throw new ConfigurationError(
      `applyPlan: the plan is that of ${plan.baseUrl}, and the client is one of ${baseUrl}`,
    );
}

function isRow(row: unknown): boolean {
  return isObject(row) && typeof row.externalId === "string";
}
