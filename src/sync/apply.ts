import { ConfigurationError, type StoreApi, writeReasonOf } from "./clients.ts";
import { objectOf } from "../wire/json.ts";
import { conflict, finishJob, RowError } from "./errors.ts";
import { copyJson } from "./json.ts";
import { modifyPart, type ModifyOptions, pick } from "./modify.ts";
import { type Equals, type Part, type PartName, parts, resourceOf } from "./parts.ts";
import {
  type ChangedRow,
  checkRow,
  type FailedRow,
  openOf,
  partIn,
  type PlannedRow,
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
  const tasks = copyJson([...create, ...update, ...unchanged]) as (ChangedRow | PlannedRow)[];
  const rows = [...tasks, ...failed].toSorted((a, b) => a.row - b.row);
  const application = new Application(store, options);
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

/** A run of `applyPlan`: its rows are written one part after the other. */
class Application {
  readonly #store: StoreApi;
  readonly #options: ApplyOptions;
  readonly #outage = new OutageGuard();

  constructor(store: StoreApi, options: ApplyOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Writes a row, and says how it ended. Throws what concerns all rows. */
  async run(place: ChangedRow | PlannedRow | FailedRow): Promise<ApplyResult> {
    const { row, externalId } = place;
    const result = { row, externalId, action: undefined, changes: {}, written: [] };
    if ("message" in place) {
      const error = new RowError(externalId, place.part, place, place.message);
      return { ...result, outcome: "failed", error };
    }
    if (!("changes" in place)) return { ...result, outcome: "unchanged" };
    const { changes } = place;
    const action = "before" in place ? "update" : "create";
    const { written, error } = await this.#writeRow(place);
    const all = { ...result, changes, action, written } as const;
    this.#options.signal?.throwIfAborted();
    if (error === undefined) {
      this.#outage.noteSuccess();
      return { ...all, outcome: "done" };
    }
    if (this.#outage.isEnd(error.cause)) throw error.cause;
    const reason = writeReasonOf(error.cause);
    return { ...all, outcome: reason === "conflict" || reason === "differs" ? reason : "failed", error };
  }

  /** Writes the parts of one store. A part that the service keeps in another form does not stop the other parts. */
  async #writeRow(task: ChangedRow): Promise<{ written: PartName[]; error?: RowError | undefined }> {
    const { externalId, changes } = task;
    const written: PartName[] = [];
    try {
      await checkRow("applyPlan", { ...changes, externalId });
    } catch (error) {
      return { written, error: new RowError(externalId, partIn(error), error) };
    }
    const run = { isCreated: false };
    let first: RowError | undefined;
    for (const part of Object.values(parts)) {
      const wanted = valueOf(part, changes);
      if (wanted === undefined) continue;
      try {
        await this.#writePart(task, part, wanted, run);
        // a store is always read
        const isEmpty = part.isStore && Object.keys(wanted[0] ?? {}).length === 0;
        if (!isEmpty || task.before === undefined) written.push(part.name);
      } catch (error) {
        first ??= new RowError(externalId, part.name, error);
        if (writeReasonOf(error) !== "differs") break;
      }
    }
    return { written, error: first };
  }

  /** @param run says whether this run has created the store */
  async #writePart(
    task: ChangedRow,
    part: Part,
    wanted: readonly object[],
    run: { isCreated: boolean },
  ): Promise<void> {
    const { equals } = this.#options;
    await modifyPart({
      partOf: () => part,
      resource: resourceOf(this.#store, part),
      externalId: task.externalId,
      change(now) {
        run.isCreated ||= part.isStore && now.length === 0;
        if (!run.isCreated) return merge(part, task, { wanted, now }, equals);
        // the lists of a new store have the service's defaults at most
        return part.isStore ? wanted : (openOf(part, wanted, now, equals) ?? now);
      },
      options: { ...this.#options, mayCreate: task.before === undefined },
    });
  }
}

/**
 * Returns the elements of a part after the change of a plan.
 * @throws {WriteError} `conflict` if another program changed what the plan would change
 */
function merge(
  part: Part,
  { before }: ChangedRow,
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
