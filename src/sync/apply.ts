import { concernOf, ConfigurationError, type StoreApi, writeReasonOf } from "./clients.ts";
import { objectOf } from "../wire/json.ts";
import { conflict, finishJob, RowError } from "./errors.ts";
import { copyJson } from "./json.ts";
import { modifyPart, type ModifyOptions, pick } from "./modify.ts";
import { type Equals, loadParts, type Part, type PartName, resourceOf } from "./parts.ts";
import {
  checkRow,
  type FailedRow,
  openOf,
  partIn,
  type PlannedRow,
  type PlannedStore,
  type StoreChanges,
  type StorePlan,
  valueOf,
} from "./plan.ts";
import { OutageGuard, runEach } from "./tasks.ts";

/** The options of `applyPlan`. */
export interface ApplyOptions extends ModifyOptions {
  /** The number of stores that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Called with the result of each row. An error that it throws ends the run after the rows in progress. */
  onResult?: ((result: ApplyResult, progress: { done: number; total: number }) => unknown) | undefined;
}

/** The result for one row. */
export interface ApplyResult extends PlannedRow {
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the store. `unchanged`: nothing differed. `conflict`: another program created or changed it
   * since the plan. `differs`: the service kept other values. `failed`: `error` is the reason.
   */
  outcome: "done" | "unchanged" | "conflict" | "differs" | "failed";
  /** The properties and lists of the plan. */
  changes: StoreChanges;
  /** The parts of the store that the service has now. */
  written: PartName[];
  /** The reason, unless the outcome is `done` or `unchanged`. Its message names the row and the part. */
  error?: RowError;
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
 * @returns a result for each row, in their order
 * @throws {JobError} if a row has failed, also in the plan; it has the results of all rows
 * @throws {ConfigurationError} for a client of another service than that of the plan
 * @throws what concerns all rows, such as a rejected token; the reason of the signal if it is aborted. `onResult` has the
 * results until then
 * @example const results = await applyPlan(store, plan, { onResult: ({ externalId, outcome }) => log(externalId, outcome) });
 */
export async function applyPlan(
  store: StoreApi,
  plan: StorePlan,
  options: ApplyOptions = {},
): Promise<ApplyResult[]> {
  checkPlan(plan, store);
  const { create, update, unchanged, failed } = plan;
  // the same after later changes of the caller
  const tasks = copyJson([...create, ...update, ...unchanged]) as (Task | PlannedRow)[];
  const rows = [...tasks, ...failed].toSorted((a, b) => a.row - b.row);
  const application = new Application(store, options, await loadParts());
  const { concurrency, signal, onResult } = options;
  let done = 0;
  const results = await runEach(rows, { concurrency, signal }, async (row) => {
    const result = await application.run(row);
    done += 1;
    await onResult?.(result, { done, total: rows.length });
    return result;
  });
  const failures = results.flatMap(({ externalId: id, row, error }) =>
    error === undefined ? [] : [{ id, row, error }],
  );
  return finishJob("applyPlan", failures, results);
}

/** What a row has in the service so far. */
interface Progress {
  readonly written: PartName[];
  /** Whether this run has created the store. */
  isCreated: boolean;
}

/** A run of `applyPlan`: its rows are written one part after the other. */
class Application {
  readonly #store: StoreApi;
  readonly #options: ApplyOptions;
  readonly #parts: Awaited<ReturnType<typeof loadParts>>;
  readonly #outage = new OutageGuard();

  constructor(store: StoreApi, options: ApplyOptions, parts: Awaited<ReturnType<typeof loadParts>>) {
    this.#store = store;
    this.#options = options;
    this.#parts = parts;
  }

  /** Writes a row, and says how it ended. Throws what concerns all rows. */
  async run(place: Task | PlannedRow | FailedRow): Promise<ApplyResult> {
    const { row, externalId } = place;
    const result = { row, externalId, action: undefined, changes: {}, written: [] };
    if ("message" in place) {
      const error = new RowError(externalId, place.part, place, place.message);
      return { ...result, outcome: "failed", error };
    }
    if (!("changes" in place)) return { ...result, outcome: "unchanged" };
    const { changes } = place;
    const action = "before" in place ? "update" : "create";
    const progress: Progress = { written: [], isCreated: false };
    const error = await this.#writeRow(place, progress);
    const all = { ...result, changes, action, written: progress.written } as const;
    this.#options.signal?.throwIfAborted();
    if (error === undefined) {
      this.#outage.end();
      return { ...all, outcome: "done" };
    }
    if (concernOf(error.cause) === "everything") throw error.cause;
    this.#outage.note(error.cause);
    const reason = writeReasonOf(error.cause);
    return { ...all, outcome: reason === "conflict" || reason === "differs" ? reason : "failed", error };
  }

  /**
   * Writes the parts of one store; adds those that are written.
   * @returns the first error. A part that the service keeps in another form does not stop the other parts.
   */
  async #writeRow(task: Task, progress: Progress): Promise<RowError | undefined> {
    const { externalId, changes } = task;
    try {
      checkRow("applyPlan", this.#parts, { ...changes, externalId });
    } catch (error) {
      return new RowError(externalId, partIn(error), error);
    }
    let first: RowError | undefined;
    for (const part of Object.values(this.#parts)) {
      const wanted = valueOf(part, changes);
      if (wanted === undefined) continue;
      const error = await this.#writePart(task, part, wanted, progress);
      if (error === undefined) continue;
      first ??= error;
      if (writeReasonOf(error.cause) !== "differs") return first;
    }
    return first;
  }

  async #writePart(
    task: Task,
    part: Part,
    wanted: readonly object[],
    progress: Progress,
  ): Promise<RowError | undefined> {
    const options = this.#options;
    const { externalId } = task;
    const resource = resourceOf(this.#store, part);
    const mayCreate = task.before === undefined;
    const change = (now: object[]): readonly object[] => {
      if (part.isStore) progress.isCreated = now.length === 0;
      // the lists of a new store have the service's defaults at most
      if (progress.isCreated) return openOf(part, wanted, now, options.equals) ?? now;
      return merge(part, task, { wanted, now }, options.equals);
    };
    try {
      await modifyPart({
        partOf: () => part,
        resource,
        externalId,
        change,
        options: { ...options, mayCreate },
      });
      if (mayCreate || Object.keys(wanted[0] ?? part).length > 0) progress.written.push(part.name);
      return undefined;
    } catch (error) {
      return new RowError(externalId, part.name, error);
    }
  }
}

/**
 * Returns the elements of a part after the change of a plan.
 * @throws {WriteError} `conflict` if another program changed what the plan would change
 */
function merge(
  part: Part,
  { before }: Task,
  { wanted, now }: { wanted: readonly object[]; now: readonly object[] },
  equals: Equals | undefined,
): readonly object[] {
  const open = openOf(part, wanted, now, equals);
  const requireSame = (expected: readonly object[], message: string): void => {
    const paths = part.findChanges(expected, now, equals);
    if (paths.length > 0) throw conflict(part.label, paths, message);
  };
  const message = "was changed by another program since the plan";
  if (part.name !== "store") {
    if (open !== undefined) requireSame(before?.[part.name] ?? [], message);
    return open ?? now;
  }
  // a run that was killed may have created it
  if (before === undefined) requireSame(wanted, "is that of a store that another program has created");
  else requireSame([pick(before, ["storeId"])], "is that of another store than in the plan");
  requireSame([pick(before ?? {}, Object.keys(open?.[0] ?? {}))], message);
  return [{ ...now[0], ...open?.[0] }];
}

/** Rejects a value that is not a plan, and a plan of another service. */
function checkPlan(plan: StorePlan, { baseUrl }: StoreApi): void {
  const { create, update, unchanged, failed } = objectOf(plan);
  if (![create, update, unchanged, failed].every(Array.isArray))
    throw new ConfigurationError("applyPlan: the plan must be the result of planStores");
  if (plan.baseUrl !== undefined && plan.baseUrl !== baseUrl)
    throw new ConfigurationError(
      `applyPlan: the plan is that of ${plan.baseUrl}, and the client is one of ${baseUrl}`,
    );
}
