import { storeOperations } from "../../../generated/store.operations.ts";
import type {
  ContactInput,
  ContactList,
  ExpectationInput,
  ExpectationList,
  Store,
  StoreUpsert,
} from "../../../generated/store.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { WriteError } from "../core/errors/write-error.ts";
import { checkCallOptions } from "../core/options/check-options.ts";
import { check } from "../core/options/check.ts";
import { checkHeaders } from "../core/options/headers.ts";
import { type CallOptions, resolveLimits } from "../core/options/options.ts";
import { serializeBody } from "../core/request/body.ts";
import { fillPath } from "../core/request/build.ts";
import { runConcurrently } from "../core/request/concurrently.ts";
import { StoreApiError } from "./errors.ts";
import { differingProperties, pick } from "./differences.ts";
import { storeProperties, toUpsert } from "./inputs.ts";
import { loadSchemas } from "./load-schemas.ts";
import {
  contactRules,
  expectationRules,
  expositionRules,
  isSameList,
  type ListReplacer,
  type ListRules,
  modifyContacts,
  modifyExpectations,
} from "./modify-list.ts";
import {
  createStore,
  modifyStore,
  refuseConflict,
  requireExact,
  type StoreMethods,
  writeStore,
} from "./modify.ts";
import {
  requireSameService,
  type DesiredLists,
  type PlannedStore,
  type StoreChanges,
  type StorePlan,
} from "./plan.ts";
import { type ExpositionWriter, writeExpositions } from "./upsert-expositions.ts";

/** Options of `applyPlan`. */
export interface ApplyOptions extends CallOptions {
  /** The number of stores that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /**
   * Reads each store again before writing it, and reports a `conflict` instead of overwriting what another program
   * changed since the plan (default: true). With false, an update sends the unlisted properties as they were then.
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

/** A part of a store that is written with one operation. */
export type StorePart = "store" | keyof DesiredLists;

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

/** The part of a `StoreClient` that `applyPlan` uses. */
export interface StoreWriter extends ExpositionWriter {
  readonly baseUrl?: string | undefined;
  readonly stores: StoreMethods;
  readonly contacts: ListReplacer<ContactList, ContactInput>;
  readonly expectations: ListReplacer<ExpectationList, ExpectationInput>;
}

interface Task {
  externalId: string;
  action: ApplyResult["action"];
  changes: StoreChanges;
  /** The properties of the store itself. */
  own: StoreUpsert;
  before: PlannedStore | undefined;
}

/** See `applyPlan` of `functions.ts`. */
export async function applyPlan(
  store: StoreWriter,
  plan: Pick<StorePlan, "baseUrl" | "create" | "update">,
  options: ApplyOptions = {},
): Promise<ApplyResult[]> {
  const { concurrency, dryRun, onResult, ...settings } = readOptions(options);
  const { call } = settings;
  if (!isObject(plan) || !Array.isArray(plan.create) || !Array.isArray(plan.update))
    throw new ConfigurationError("applyPlan: plan must be the result of planStores");
  requireSameService("applyPlan: the plan", plan.baseUrl, store);
  const tasks = tasksOf(plan);
  const results: ApplyResult[] = [];
  let fatal: { error: unknown } | undefined;
  let done = 0;

  const run = async (task: Task): Promise<ApplyResult> => {
    const { externalId, action, changes } = task;
    const result = { externalId, action, changes, written: [] as StorePart[] };
    if (fatal !== undefined) return { ...result, outcome: "skipped", error: fatal.error };
    try {
      if (dryRun) {
        await validate(task, call);
        return { ...result, outcome: "planned" };
      }
      const written = await writeTask(store, task, result.written, settings);
      return { ...result, outcome: "done", ...(written === undefined ? {} : { store: written }) };
    } catch (error) {
      call.signal?.throwIfAborted();
      if (concernsAll(error)) fatal = { error };
      return { ...result, outcome: outcomeOf(error), error };
    }
  };
  await runConcurrently(tasks, concurrency, async (task, at) => {
    call.signal?.throwIfAborted();
    const result = await run(task);
    results[at] = result;
    done += 1;
    await onResult?.(result, { done, total: tasks.length });
  });
  return results;
}

/** The tasks of a plan, created before anything is sent, so that later changes of the plan have no effect. */
function tasksOf({ create, update }: Pick<StorePlan, "create" | "update">): Task[] {
  const creations = create.map(({ externalId, ...changes }): Task => {
    const own: StoreUpsert = pick(changes, storeProperties);
    return { externalId, action: "create", changes: { ...own, ...listsOf(changes) }, own, before: undefined };
  });
  const updates = update.map(({ externalId, changes, before }): Task => {
    const own: StoreUpsert = pick(changes, storeProperties);
    return { externalId, action: "update", changes: { ...own, ...listsOf(changes) }, own, before };
  });
  return [...creations, ...updates];
}

function listsOf({ contacts, expectations, expositions }: DesiredLists): DesiredLists {
  return {
    ...(contacts && { contacts }),
    ...(expectations && { expectations }),
    ...(expositions && { expositions }),
  };
}

/** The settings of all writes of a run. */
interface WriteSettings {
  isChecked: boolean;
  mayOmit: boolean;
  call: CallOptions;
}

/** Writes a store and then its lists. */
async function writeTask(
  store: StoreWriter,
  task: Task,
  written: StorePart[],
  settings: WriteSettings,
): Promise<Store | undefined> {
  const { externalId, action, own, before, changes } = task;
  const { isChecked, mayOmit, call } = settings;
  const { contacts, expectations, expositions } = changes;
  let result: Store | undefined;
  if (action === "create" || Object.keys(own).length > 0) {
    result = await writeOwn(store.stores, task, settings);
    written.push("store");
  }
  const inspect = (
    rules: ListRules,
    planned: readonly object[] | undefined,
    now: readonly object[],
  ): void => {
    if (isChecked && planned !== undefined && !isSameList(rules, planned, now))
      refuseConflict(externalId, ["items"], "were changed by another program since the plan");
  };
  const replaceWith =
    <Item extends object, Input extends object>(
      rules: ListRules,
      desired: readonly Input[],
      planned?: Item[],
    ) =>
    (now: Item[]): readonly (Item | Input)[] => {
      if (isSameList(rules, desired, now)) return now;
      inspect(rules, planned, now);
      return desired;
    };
  if (contacts !== undefined) {
    const change = replaceWith(contactRules, contacts, before?.contacts);
    await modifyContacts(store.contacts, externalId, change, call);
    written.push("contacts");
  }
  if (expectations !== undefined) {
    const change = replaceWith(expectationRules, expectations, before?.expectations);
    await modifyExpectations(store.expectations, externalId, change, call);
    written.push("expectations");
  }
  if (expositions !== undefined) {
    const inspectStored = inspect.bind(undefined, expositionRules, before?.expositions);
    await writeExpositions(store, externalId, expositions, { mayOmit, call, inspect: inspectStored });
    written.push("expositions");
  }
  return result;
}

/** Writes the properties of a store. */
function writeOwn(
  stores: StoreMethods,
  { externalId, own, before }: Task,
  { isChecked, call }: WriteSettings,
): Promise<Store> {
  if (before === undefined) return createStore(stores, externalId, own, { ...call, check: isChecked });
  if (!isChecked) requireExact(externalId, before);
  if (!isChecked)
    return writeStore(stores, externalId, { ...toUpsert(ownOf(before)), ...own }, call, before.storeId);
  const planned: JsonObject = { ...before };
  return modifyStore(
    stores,
    externalId,
    (now) => {
      const isReplaced = now.storeId.toLowerCase() !== before.storeId.toLowerCase();
      refuseConflict(externalId, isReplaced ? ["storeId"] : [], "is that of another store than in the plan");
      const differing = differingProperties(own, now);
      const expected = Object.fromEntries(differing.map((name) => [name, planned[name]]));
      refuseConflict(
        externalId,
        differingProperties(expected, now),
        "was changed by another program since the plan",
      );
      return own;
    },
    call,
  );
}

/** Returns a store without its lists. */
function ownOf({ contacts: _, expectations: __, expositions: ___, ...store }: PlannedStore): Store {
  return store;
}

const { putStore, putContacts, putExpectations, putExpositions } = storeOperations;

/** Rejects as the client would when it sends a store of a plan. */
async function validate({ externalId, own, before, changes }: Task, call: CallOptions): Promise<void> {
  checkCallOptions(call);
  checkHeaders(call.headers);
  resolveLimits(call);
  const { contacts, expectations, expositions } = changes;
  const parts = [
    { operation: putStore, body: { ...(before && toUpsert(ownOf(before))), ...own } },
    { operation: putContacts, body: contacts && { contacts } },
    { operation: putExpectations, body: expectations && { expectations } },
    { operation: putExpositions, body: expositions && { expositions } },
  ];
  const schemas = loadSchemas();
  for (const { operation, body } of parts) {
    if (body === undefined) continue;
    const path = fillPath(operation, { externalId });
    const serialized = await serializeBody(operation.body, { body }, schemas);
    const issues = [...path.issues, ...serialized.issues];
    if (issues.length > 0) throw new InvalidRequestError(`${operation.method} ${operation.path}`, issues);
  }
}

function outcomeOf(error: unknown): ApplyResult["outcome"] {
  if (!(error instanceof WriteError)) return "failed";
  return error.reason === "conflict" || error.reason === "differs" ? error.reason : "failed";
}

/** Whether an error would occur for every store. */
function concernsAll(error: unknown): boolean {
  if (error instanceof ConfigurationError) return true;
  return error instanceof StoreApiError && (error.status === 401 || error.code === "not_configured");
}

function readOptions(options: ApplyOptions) {
  if (!isObject(options)) throw new ConfigurationError("applyPlan: the options must be an object");
  const {
    concurrency = 4,
    dryRun = false,
    check: isChecked = true,
    absent,
    onResult,
    ...call
  } = options as ApplyOptions;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new ConfigurationError("concurrency must be a positive integer");
  check("dryRun must be true or false", dryRun, (value) => typeof value === "boolean");
  check("check must be true or false", isChecked, (value) => typeof value === "boolean");
  check('absent must be "keep", or be omitted', absent, (value) => value === "keep");
  check("onResult must be a function", onResult, (value) => typeof value === "function");
  return { concurrency, dryRun, onResult, isChecked, mayOmit: absent === "keep", call };
}
