import type { Store, StoreUpsert } from "../../../generated/store.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import { check } from "../core/options/check-options.ts";
import type { CallOptions } from "../core/options/options.ts";
import { isObject } from "../../wire/json.ts";
import { StoreApiError } from "./errors.ts";
import { pick, storeProperties, toUpsert } from "./inputs.ts";
import type { StorePlan } from "./plan.ts";

/** Options of `applyPlan`. */
export interface ApplyOptions extends CallOptions {
  /** The number of stores that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Sends nothing: every outcome is `planned` (default: false). */
  dryRun?: boolean | undefined;
  /** Called with the outcome of each store. An error that it throws ends the run. */
  onResult?: ((result: ApplyResult, progress: ApplyProgress) => void) | undefined;
}

/** The progress of a run. */
export interface ApplyProgress {
  /** The number of stores whose outcome is known. */
  done: number;
  /** The number of stores to create and to update. */
  total: number;
}

/** The result for one store of a plan. */
export interface ApplyResult {
  externalId: string;
  action: "create" | "update";
  /** The properties that are written. */
  changes: StoreUpsert;
  /**
   * `done`: the server has the store. `failed`: `error` is the reason. `skipped`: not tried, because an earlier failure
   * concerns all stores. `planned`: a dry run.
   */
  outcome: "done" | "failed" | "skipped" | "planned";
  /** The store as the server returned it. */
  store?: Store;
  /** The reason for `failed` or `skipped`. */
  error?: unknown;
}

/** The part of a `StoreClient` that `applyPlan` uses. */
export interface StoreWriter {
  readonly stores: {
    /** Writes one store. */
    upsert(externalId: string, store: StoreUpsert, options?: CallOptions): PromiseLike<Store>;
  };
}

interface Task {
  result: Omit<ApplyResult, "outcome">;
  body: StoreUpsert;
}

/**
 * Creates and updates the stores of a plan. If the service rejects a store, the others are still written. A rejected
 * token or a wrong option ends the run, because it concerns all stores. An update sends every property of an upsert, so that it has the same
 * meaning under each reading of gap `stores.omitted-fields`. Nothing is deleted.
 * @returns a result for each store, in the order of the plan, creations first
 * @throws {ConfigurationError} for a wrong option; the reason of the signal if it is aborted
 * @example
 * const plan = planStores(desired, await store.stores.list().toArray());
 * const results = await applyPlan(store, plan, { dryRun: true });
 */
export async function applyPlan(
  store: StoreWriter,
  plan: Pick<StorePlan, "create" | "update">,
  options: ApplyOptions = {},
): Promise<ApplyResult[]> {
  const { concurrency, dryRun, onResult, call } = readOptions(options);
  const tasks = tasksOf(plan);
  const results: ApplyResult[] = [];
  let fatal: { error: unknown } | undefined;
  let next = 0;
  let done = 0;

  const run = async ({ result, body }: Task): Promise<ApplyResult> => {
    if (dryRun) return { ...result, outcome: "planned" };
    if (fatal !== undefined) return { ...result, outcome: "skipped", error: fatal.error };
    try {
      return { ...result, outcome: "done", store: await store.stores.upsert(result.externalId, body, call) };
    } catch (error) {
      call.signal?.throwIfAborted();
      if (concernsAll(error)) fatal = { error };
      return { ...result, outcome: "failed", error };
    }
  };
  const work = async (): Promise<void> => {
    try {
      for (let at = next++; at < tasks.length; at = next++) {
        call.signal?.throwIfAborted();
        const result = await run(tasks[at] as Task); // the index is smaller than the length
        results[at] = result;
        done += 1;
        onResult?.(result, { done, total: tasks.length });
      }
    } catch (error) {
      next = tasks.length; // the other workers finish their current stores
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, tasks.length) }, work);
  const ended = await Promise.allSettled(workers);
  const failure = ended.find((one) => one.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results;
}

/** The tasks of a plan, created before anything is sent, so that later changes of the plan have no effect. */
function tasksOf({ create, update }: Pick<StorePlan, "create" | "update">): Task[] {
  const creations = create.map((desired): Task => {
    const body: StoreUpsert = pick(desired, storeProperties);
    return { result: { externalId: desired.externalId, action: "create", changes: body }, body };
  });
  const updates = update.map(({ externalId, changes, before }): Task => {
    const body = { ...toUpsert(before), ...changes };
    return { result: { externalId, action: "update", changes }, body };
  });
  return [...creations, ...updates];
}

/** Whether an error would occur for every store. */
function concernsAll(error: unknown): boolean {
  if (error instanceof ConfigurationError) return true;
  return error instanceof StoreApiError && (error.status === 401 || error.code === "not_configured");
}

function readOptions(options: ApplyOptions) {
  if (!isObject(options)) throw new ConfigurationError("applyPlan: the options must be an object");
  const { concurrency = 4, dryRun = false, onResult, ...call } = options as ApplyOptions;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new ConfigurationError("concurrency must be a positive integer");
  check("dryRun must be true or false", dryRun, (value) => typeof value === "boolean");
  check("onResult must be a function", onResult, (value) => typeof value === "function");
  return { concurrency, dryRun, onResult, call };
}
