// The functions beside the client. Their code is loaded with their first call, so that others do not download it. They copy
// their options before; other arguments are read when the code is there.
import type { ExpositionInput, ExpositionList } from "../../../generated/store.ts";
import { copyOptions } from "../core/pagination/list-call.ts";
import type { ApplyOptions, ApplyResult } from "./apply-plan.ts";
import type { StoreWriter } from "./apply-task.ts";
import type { PlanOptions, StoreList, StorePlan } from "./plan.ts";
import type { DesiredStore } from "./desired-stores.ts";
import type { ExpositionWriter, UpsertExpositionsOptions } from "./upsert-expositions.ts";

/**
 * Compares desired stores with existing ones. Writes nothing. Properties and lists that a desired store omits are not
 * compared.
 * @param desired the desired stores, each external ID once. Do not change them until the promise settles.
 * @param actual the list of all stores. An array is rejected, because it may have been cut: a plan made from a part of the
 * list would create stores that exist.
 * @throws {InvalidRequestError} if a desired store has no external ID or a property that cannot be sent, or if an
 * external ID occurs twice
 * @throws {WriteError} (`malformed`) if an existing store was not read as a whole
 * @example
 * const plan = await planStores(rows, store.stores.list(), { store });
 * await applyPlan(store, plan, { onResult: ({ externalId, outcome }) => console.log(externalId, outcome) });
 */
export async function planStores(
  desired: Iterable<DesiredStore>,
  actual: StoreList,
  options?: PlanOptions,
): Promise<StorePlan> {
  const copied = options && copyOptions(options);
  const engine = await import("./plan.ts");
  return engine.planStores(desired, actual, copied);
}

/**
 * Creates and updates the stores of a plan. If the service rejects a store, the others are still written. A rejected
 * token or a wrong option ends the run, because it concerns all stores. An update changes the listed properties and sends
 * every other one as it was just read, so that it has the same meaning under each reading of gap
 * `stores.omitted-fields`. Nothing is deleted.
 * @param plan a plan of `planStores`, also one that was saved as JSON. Do not change it until the promise settles.
 * @returns a result for each store, in the order of the plan, creations first
 * @throws {ConfigurationError} for a wrong option, and for a client of another service or tenant than that of the plan; the
 * reason of the signal if it is aborted
 * @example
 * const plan = await planStores(desired, store.stores.list());
 * const results = await applyPlan(store, plan, { dryRun: true });
 */
export async function applyPlan(
  store: StoreWriter,
  plan: Pick<StorePlan, "baseUrl" | "create" | "update" | "known">,
  options?: ApplyOptions,
): Promise<ApplyResult[]> {
  const copied = options && copyOptions(options);
  const engine = await import("./apply-plan.ts");
  return engine.applyPlan(store, plan, copied);
}

/**
 * Creates or updates any number of expositions, 500 in a request, one request after the other. An element without
 * `expositionId` refers to the exposition with the same label and type (or to the one that the client's reading of gap
 * `expositions.matching` names), so that a repeated run creates nothing twice: repeat it after a failure. Expositions
 * that are equal already are not sent, and an empty list sends nothing.
 * @param expositions the elements. Do not change them until the promise settles.
 * @returns all expositions of the store, read after the last request
 * @throws {InvalidRequestError} if an element fits several expositions, if two refer to the same one, or for more than
 * 500 expositions without `absent: "keep"`; nothing is sent then
 * @throws {WriteError} if the last read shows that the service did not keep all of them (`differs`)
 * @example await upsertExpositions(store, "S-1", expositions, { absent: "keep" });
 */
export async function upsertExpositions(
  store: ExpositionWriter,
  externalId: string,
  expositions: readonly ExpositionInput[],
  options?: UpsertExpositionsOptions,
): Promise<ExpositionList> {
  const copied = options && copyOptions(options);
  const engine = await import("./upsert-expositions.ts");
  return engine.upsertExpositions(store, externalId, expositions, copied);
}
