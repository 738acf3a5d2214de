import type { Store } from "../../../generated/store.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { ApiError, WriteError } from "../core/errors/response-errors.ts";
import { check } from "../core/options/check.ts";
import { checkNames } from "../core/errors/unknown-name.ts";
import type { CallOptions } from "../core/options/options.ts";
import { runConcurrently } from "../core/request/concurrently.ts";
import { checkCalls, readDesired } from "./desired-stores.ts";
import { differingProperties } from "./differences.ts";
import { type PlannedUpdate, requireSameService, type StoreChanges, type StorePlan } from "./plan.ts";
import { findStore } from "./modify.ts";
import { type StorePart, type StoreWriter, type Task, tasksOf, writeTask, validate } from "./apply-task.ts";

/** Options of `applyPlan`. */
export interface ApplyOptions extends CallOptions {
  /** The number of stores that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /**
   * Reads each store again before writing it, and reports a `conflict` instead of overwriting what another program
   * changed since the plan (default: true). With false, only one store is read, to see that the client has the token of the
   * plan's tenant, and an update sends the unlisted properties as they were then.
   */
  check?: boolean | undefined;
  /** Validates and sends nothing: every outcome is `planned` or `failed` (default: false). */
  dryRun?: boolean | undefined;
  /** As in `upsertExpositions`: needed for stores with more than 500 expositions. */
  absent?: "keep" | undefined;
  /**
   * Called with the outcome of each store. An error that it throws, or that its promise rejects with, ends the run after
   * the stores in progress.
   */
  onResult?: ((result: ApplyResult, progress: ApplyProgress) => unknown) | undefined;
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
  /** The properties and lists that are written. */
  changes: StoreChanges;
  /**
   * `done`: the service has the store. `conflict`: another program created or changed it since the plan. `differs`: the
   * service kept other values. `failed`: `error` is the reason. `skipped`: not tried, because an earlier failure concerns
   * all stores. `planned`: a dry run.
   */
  outcome: "done" | "conflict" | "differs" | "failed" | "skipped" | "planned";
  /** The parts of the store that the service has. */
  written: StorePart[];
  /** The store as the service returned it. */
  store?: Store;
  /** The reason, unless the outcome is `done` or `planned`. */
  error?: unknown;
}

/** See `applyPlan` of `functions.ts`. */
export async function applyPlan(
  store: StoreWriter,
  plan: Pick<StorePlan, "baseUrl" | "create" | "update" | "known">,
  options: ApplyOptions = {},
): Promise<ApplyResult[]> {
  const { concurrency, dryRun, onResult, ...settings } = readOptions(options);
  const { call } = settings;
  if (!isPlan(plan)) throw new ConfigurationError("applyPlan: plan must be the result of planStores");
  checkChanges(plan);
  requireSameService("applyPlan: the plan", plan.baseUrl, store);
  const tasks = tasksOf(plan);
  const results: ApplyResult[] = [];
  let fatal: { error: unknown } | undefined;
  let done = 0;

  const run = async (task: Task): Promise<ApplyResult> => {
    const { externalId, action, changes } = task;
    const written: StorePart[] = [];
    const result = { externalId, action, changes, written };
    if (fatal !== undefined) return { ...result, outcome: "skipped", error: fatal.error };
    try {
      if (dryRun) {
        await validate(task, settings);
        return { ...result, outcome: "planned" };
      }
      const state = await writeTask(store, task, written, settings);
      return { ...result, outcome: "done", ...(state === undefined ? {} : { store: state }) };
    } catch (error) {
      call.signal?.throwIfAborted();
      if (concernsAll(error)) fatal = { error };
      return { ...result, outcome: outcomeOf(error), error };
    }
  };
  const { known } = plan;
  // each checked update compares the ID of its store
  const isUnknownTenant = plan.create.length > 0 || !settings.isChecked;
  if (known !== undefined && tasks.length > 0 && isUnknownTenant && !dryRun) {
    const found = await findStore(store.stores, known.externalId, call).catch((error: unknown) => {
      call.signal?.throwIfAborted();
      fatal = { error };
      return undefined;
    });
    if (fatal === undefined) requireSameTenant(known, found);
  }
  await runConcurrently(tasks, concurrency, async (task, at) => {
    call.signal?.throwIfAborted();
    const result = await run(task);
    results[at] = result;
    done += 1;
    await onResult?.(result, { done, total: tasks.length });
  });
  return results;
}

/** Whether a value has the form of a plan, which a program may have saved. */
function isPlan(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { baseUrl, create, update, known } = value;
  return (
    (baseUrl === undefined || typeof baseUrl === "string") &&
    (known === undefined || (isTask(known) && typeof known.storeId === "string")) &&
    Array.isArray(create) &&
    create.every(isTask) &&
    Array.isArray(update) &&
    update.every((task) => isTask(task) && isObject(task.changes) && isObject(task.before))
  );
}

const planProperties = [
  "baseUrl",
  "create",
  "update",
  "unchanged",
  "extra",
  "known",
] satisfies (keyof StorePlan)[];
const updateProperties = ["externalId", "changes", "before"] satisfies (keyof PlannedUpdate)[];

/** Rejects what a plan that was saved and edited asks for, and that `applyPlan` would leave out. */
function checkChanges(plan: Pick<StorePlan, "create" | "update">): void {
  const { create, update } = plan;
  checkNames("Unknown property of the plan", plan, planProperties);
  for (const task of update) checkNames("Unknown property of an update", task, updateProperties);
  const created = readDesired(create, "applyPlan: create");
  const label = "applyPlan: update";
  const changed = update.map(({ externalId, changes }) => ({ ...changes, externalId }));
  readDesired(changed, label);
  const issues = update.flatMap(({ externalId, changes }, index) =>
    Object.entries<unknown>({ ...changes })
      .filter(([name, value]) => (name === "externalId" && value !== externalId) || name === "storeId")
      .map(([name]) => ({ path: `${index}.${name}`, message: "is not a property that a plan changes" })),
  );
  for (const [index, { externalId, before }] of update.entries()) {
    if (before.externalId !== externalId)
      issues.push({ path: `${index}.before.externalId`, message: "is that of another store" });
    if (created.has(externalId))
      issues.push({ path: `${index}.externalId`, message: "is that of a store to create" });
  }
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}

function isTask(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.externalId === "string";
}

/** @throws {ConfigurationError} if the client's token is that of another tenant than the plan's */
function requireSameTenant(known: NonNullable<StorePlan["known"]>, found: Store | undefined): void {
  const { storeId } = known;
  if (differingProperties({ storeId }, { ...found }).length === 0) return;
  const fault = found === undefined ? "does not exist" : "is another one";
  throw new ConfigurationError(
    `applyPlan: nothing was written: the store "${known.externalId}" of the plan ${fault} for this client. ` +
      "Use the token of the tenant whose stores were compared; if the store was renamed, make the plan again",
  );
}

function outcomeOf(error: unknown): ApplyResult["outcome"] {
  if (!(error instanceof WriteError)) return "failed";
  return error.reason === "conflict" || error.reason === "differs" ? error.reason : "failed";
}

/** Whether an error would occur for every store. */
function concernsAll(error: unknown): boolean {
  if (error instanceof ConfigurationError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || ("code" in error && error.code === "not_configured");
}

function readOptions(options: ApplyOptions) {
  check("applyPlan: the options must be an object", options, isObject);
  const { concurrency = 4, dryRun = false, check: isChecked = true, absent, onResult, ...call } = options;
  checkCalls(call);
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new ConfigurationError("concurrency must be a positive integer");
  check("dryRun must be true or false", dryRun, (value) => typeof value === "boolean");
  check("check must be true or false", isChecked, (value) => typeof value === "boolean");
  check('absent must be "keep", or be omitted', absent, (value) => value === "keep");
  check("onResult must be a function", onResult, (value) => typeof value === "function");
  return { concurrency, dryRun, onResult, isChecked, mayOmit: absent === "keep", call };
}
