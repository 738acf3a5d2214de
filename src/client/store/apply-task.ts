import { storeOperations } from "../../../generated/store.operations.ts";
import type {
  ContactInput,
  ContactList,
  ExpectationInput,
  ExpectationList,
  Store,
  StoreUpsert,
} from "../../../generated/store.ts";
import type { JsonObject } from "../../wire/json.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import type { CallOptions } from "../core/options/options.ts";
import { serializeBody } from "../core/request/body.ts";
import { fillPath } from "../core/request/build.ts";
import { copyJson } from "../core/request/unsendable.ts";
import { differingProperties, pick, storeProperties } from "./differences.ts";
import { toUpsert } from "./inputs.ts";
import { loadSchemas } from "./load-schemas.ts";
import { type ListReplacer, modifyContacts, modifyExpectations } from "./modify-list.ts";
import {
  contactRules,
  expectationRules,
  expositionRules,
  isSameList,
  keepElements,
  type ListRules,
} from "./list-rules.ts";
import {
  checkStore,
  createStore,
  modifyStore,
  refuseConflict,
  type StoreMethods,
  writeStore,
} from "./modify.ts";
import type { PlannedStore, StoreChanges, StorePlan } from "./plan.ts";
import type { DesiredLists } from "./desired-stores.ts";
import { type ExpositionWriter, writeExpositions } from "./upsert-expositions.ts";

/** A part of a store that is written with one operation. */
export type StorePart = "store" | keyof DesiredLists;

/** The part of a `StoreClient` that `applyPlan` uses. */
export interface StoreWriter extends ExpositionWriter {
  readonly baseUrl?: string | undefined;
  readonly stores: StoreMethods;
  readonly contacts: ListReplacer<ContactList, ContactInput>;
  readonly expectations: ListReplacer<ExpectationList, ExpectationInput>;
}

export interface Task {
  externalId: string;
  action: "create" | "update";
  changes: StoreChanges;
  /** The properties of the store itself. */
  own: StoreUpsert;
  before: PlannedStore | undefined;
}

/** The tasks of a plan, created before anything is sent, so that later changes of the plan have no effect. */
export function tasksOf({ create, update }: Pick<StorePlan, "create" | "update">): Task[] {
  const creations = create.map((store): Task => {
    const { externalId, ...changes } = copyJson(store);
    const own: StoreUpsert = pick(changes, storeProperties);
    return { externalId, action: "create", changes: { ...own, ...listsOf(changes) }, own, before: undefined };
  });
  const updates = update.map(({ externalId, before, ...rest }): Task => {
    const changes = copyJson(rest.changes);
    const own: StoreUpsert = pick(changes, storeProperties);
    return { externalId, action: "update", changes: { ...own, ...listsOf(changes) }, own, before };
  });
  return [...creations, ...updates];
}

function listsOf({ contacts, expectations, expositions }: DesiredLists): DesiredLists {
  return {
    ...(contacts === undefined ? {} : { contacts }),
    ...(expectations === undefined ? {} : { expectations }),
    ...(expositions === undefined ? {} : { expositions }),
  };
}

/** The settings of all writes of a run. */
interface WriteSettings {
  isChecked: boolean;
  mayOmit: boolean;
  call: CallOptions;
}

/** Writes a store and then its lists. */
export async function writeTask(
  store: StoreWriter,
  task: Task,
  written: StorePart[],
  settings: WriteSettings,
): Promise<Store | undefined> {
  const { externalId, before, changes } = task;
  const { isChecked, mayOmit, call } = settings;
  const { contacts, expectations, expositions } = changes;
  // an update of lists only also begins with a read of the store: its external ID may be that of another one now
  const result = hasOwn(task) || isChecked ? await writeOwn(store.stores, task, settings) : undefined;
  if (hasOwn(task)) written.push("store");
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
      return keepElements(rules, desired, now);
    };
  if (contacts !== undefined) {
    const change = replaceWith(contactRules, contacts, before && (before.contacts ?? []));
    await modifyContacts(store.contacts, externalId, change, call);
    written.push("contacts");
  }
  if (expectations !== undefined) {
    const change = replaceWith(expectationRules, expectations, before && (before.expectations ?? []));
    await modifyExpectations(store.expectations, externalId, change, call);
    written.push("expectations");
  }
  if (expositions !== undefined) {
    const inspectStored = inspect.bind(undefined, expositionRules, before && (before.expositions ?? []));
    await writeExpositions(store, externalId, expositions, { mayOmit, call, inspect: inspectStored });
    written.push("expositions");
  }
  return result;
}

/** Whether the store itself is written. */
function hasOwn({ action, own }: Task): boolean {
  return action === "create" || Object.keys(own).length > 0;
}

/** Writes the properties of a store. */
function writeOwn(
  stores: StoreMethods,
  { externalId, own, before }: Task,
  { isChecked, call }: WriteSettings,
): Promise<Store> {
  if (before === undefined) return createStore(stores, externalId, own, { ...call, check: isChecked });
  if (!isChecked) {
    checkStore(before, externalId, "not sent");
    return writeStore(stores, externalId, { ...toUpsert(ownOf(before)), ...own }, call, before.storeId);
  }
  const planned: JsonObject = { ...before };
  return modifyStore(
    stores,
    externalId,
    (now) => {
      const { storeId } = before;
      const replaced = differingProperties({ storeId }, now);
      refuseConflict(externalId, replaced, "is that of another store than in the plan");
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
export async function validate(task: Task, { isChecked }: WriteSettings): Promise<void> {
  const { externalId, own, before, changes } = task;
  if (hasOwn(task) && before !== undefined && !isChecked) checkStore(before, externalId, "not sent");
  const { contacts, expectations, expositions } = changes;
  const parts = [
    { operation: putStore, body: hasOwn(task) && { ...(before && toUpsert(ownOf(before))), ...own } },
    { operation: putContacts, body: contacts !== undefined && { contacts } },
    { operation: putExpectations, body: expectations !== undefined && { expectations } },
    { operation: putExpositions, body: expositions !== undefined && { expositions } },
  ];
  const schemas = loadSchemas();
  for (const { operation, body } of parts) {
    if (body === false) continue;
    const path = fillPath(operation, { externalId });
    const serialized = await serializeBody(operation.body, { body }, schemas);
    const issues = [...path.issues, ...serialized.issues];
    if (issues.length > 0) throw new InvalidRequestError(`${operation.method} ${operation.path}`, issues);
  }
}
