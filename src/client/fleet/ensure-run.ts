// Loaded with the first call of `ensure`.
import { containsJson } from "../../wire/compare-json.ts";
import { isObject, isTooDeep, type JsonObject } from "../../wire/json.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { ApiError, WriteError } from "../core/errors/response-errors.ts";
import type { CallOptions } from "../core/options/options.ts";
import { DestinationLock } from "../core/request/destination.ts";
import { runConcurrently } from "../core/request/concurrently.ts";
import { findInexact } from "../../wire/exact-numbers.ts";
import { runInOrder } from "../core/request/write-queue.ts";
import { findAll, idOf, malformed, nameOf, readDesired, readKey } from "./entity-keys.ts";
import { ambiguous, difference, otherEntity, unlisted } from "./ensure-errors.ts";
import { type EnsureOptions, readOptions } from "./ensure-options.ts";
import { adjustments } from "./resource.ts";
import { SentEntities } from "./sent-entities.ts";

/** The part of a resource of a `FleetClient`, such as `fleet.vehicles`, that `ensure` uses. */
export interface EnsurableResource<Input> {
  /** Lists the entities. */
  list(query?: undefined, options?: CallOptions): AsyncIterable<unknown>;
  /** Reads one entity. */
  get(id: string, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an entity. */
  create?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an inspection. */
  submit?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Changes an entity. */
  update(id: string, input: Input, options?: CallOptions): PromiseLike<unknown>;
}

/** The result for one desired entity. */
export interface EnsureResult<Input> {
  desired: Input;
  /** The necessary change; undefined if nothing differs, or before the entity was read. */
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the entity. `unchanged`: it had it before. `differs`: it kept other values, or its list does
   * not show the new entity. `conflict`: several entities have the key. `failed`: `error` is the reason. `skipped`: not
   * tried, because an earlier failure concerns all. `planned`: a dry run.
   */
  outcome: "done" | "unchanged" | "differs" | "conflict" | "failed" | "skipped" | "planned";
  /** The ID of the entity; undefined if the service returned none. */
  id: string | undefined;
  /** The reason, unless the outcome is `done`, `unchanged` or `planned`. */
  error?: unknown;
}

/**
 * See `ensure` of `ensure.ts`.
 * @param templateRoute the route that reads one inspection template
 */
export async function ensure<Input extends object>(
  resource: EnsurableResource<Input>,
  desired: Iterable<Input>,
  options: EnsureOptions<Input>,
  templateRoute: string,
): Promise<EnsureResult<Input>[]> {
  const { key, toUpdate, concurrency, dryRun, call } = readOptions(options);
  const keyOf = typeof key === "function" ? key : (entity: JsonObject) => readKey(entity, [key].flat());
  const keyName = typeof key === "function" ? "(the function returned none)" : [key].flat().join(", ");
  const wanted = readDesired(desired, keyOf, keyName);
  return runInOrder(resource, "ensure", call.signal, async () => {
    // the entities of the list are those of the environment that is written to
    const destination = new DestinationLock();
    const entities = new SentEntities();
    adjustments.set(call, (input) => ({ ...entities.adjust(input), destination }));
    const openList = () => entities.read(resource.list(undefined, call), destination);
    const found = await findAll(openList(), wanted, keyOf);
    const results: EnsureResult<Input>[] = [];
    let fatal: { error: unknown } | undefined;
    const task = { resource, entities, toUpdate, dryRun, call, templateRoute, keyOf };
    await runConcurrently([...wanted], concurrency, async ([name, element], index) => {
      call.signal?.throwIfAborted();
      if (fatal !== undefined) {
        results[index] = {
          desired: element,
          action: undefined,
          outcome: "skipped",
          id: undefined,
          error: fatal.error,
        };
        return;
      }
      const result = await ensureOne(task, element, found.get(name) ?? []);
      if (concernsAll(result.error)) fatal = { error: result.error };
      results[index] = result;
    });
    const created = results.filter(({ action, outcome }) => action === "create" && outcome !== "planned");
    if (created.length > 0) await checkCreated({ ...task, openList, wanted, results });
    return results;
  });
}

interface Task<Input> {
  resource: EnsurableResource<Input>;
  entities: SentEntities;
  toUpdate: EnsureOptions<Input>["toUpdate"];
  dryRun: boolean;
  call: CallOptions;
  templateRoute: string;
  keyOf: (entity: JsonObject) => unknown;
}

/** Creates or updates one entity. */
async function ensureOne<Input extends object>(
  task: Task<Input>,
  desired: Input,
  [listed, ...others]: readonly JsonObject[],
): Promise<EnsureResult<Input>> {
  const { resource, entities, toUpdate, dryRun, call } = task;
  const action = listed === undefined ? "create" : "update";
  let id: string | undefined;
  try {
    if (others.length > 0) throw ambiguous(others.length + 1);
    if (listed === undefined) {
      if (dryRun) return { desired, action, outcome: "planned", id };
      const response = await (resource.create?.(desired, call) ?? resource.submit?.(desired, call));
      id = idOf(response);
      const outcome = await compare(task, desired, response, id);
      return { desired, action, id, ...outcome };
    }
    id = idOf(listed);
    if (id === undefined) throw malformed("has no ID");
    if ((idOf(desired) ?? id) !== id) throw otherEntity("the key finds another entity than the desired ID");
    // a summary of a list may lack properties of the entity
    const current = containsJson(listed, desired, true) ? listed : await readDetail(task, id, listed);
    requireKey(task, listed, current);
    if (containsJson(current, desired)) return { desired, action: undefined, outcome: "unchanged", id };
    const [inexact] = isPatch(resource) ? [] : findInexact(entities.sentOf(current));
    if (inexact !== undefined) throw malformed(`${inexact.path} ${inexact.message}`);
    if (dryRun) return { desired, action, outcome: "planned", id };
    const body =
      toUpdate?.(entities.sentOf(current), desired) ??
      (isPatch(resource) ? desired : entities.updateOf(current, desired));
    const response = await resource.update(id, body, call);
    const outcome = await compare(task, desired, response, id);
    return { desired, action, id, ...outcome };
  } catch (error) {
    call.signal?.throwIfAborted();
    const outcome = error instanceof WriteError && error.reason === "ambiguous" ? "conflict" : "failed";
    return { desired, action: outcome === "conflict" ? undefined : action, outcome, id, error };
  }
}

/** Rejects an entity whose key has changed since the list was read: that of the list may be the key of another one now. */
function requireKey<Input>({ entities, keyOf }: Task<Input>, listed: JsonObject, current: JsonObject): void {
  const hasMoved = (before: JsonObject, now: JsonObject): boolean =>
    before !== now && nameOf(keyOf(before)) !== nameOf(keyOf(now));
  // the shapes of a list and of a detail may write the same key in two ways
  if (hasMoved(listed, current) && hasMoved(entities.sentOf(listed), entities.sentOf(current)))
    throw otherEntity("the entity has another key than in the list", "key");
}

/** Whether an update is a PATCH: those of inspections and driver assignments. */
function isPatch(resource: object): boolean {
  return "submit" in resource || "release" in resource;
}

/** Reads an entity in full; the entry of the list if the service has no such operation (gap templates.get-one). */
async function readDetail<Input>(
  { resource, entities, call, templateRoute }: Task<Input>,
  id: string,
  listed: JsonObject,
): Promise<JsonObject> {
  let detail: unknown;
  try {
    detail = await resource.get(id, call);
  } catch (error) {
    // a service without this operation lists whole templates; another list may have summaries, which must not be sent back
    if (error instanceof ApiError && error.status === 404 && error.route === templateRoute) return listed;
    throw error;
  }
  if (!isObject(detail)) throw malformed("is not an object");
  if (isTooDeep(detail)) throw malformed("is nested more than 500 levels deep");
  if (idOf(detail) !== id) throw otherEntity("the response is about another entity");
  return entities.merge(listed, detail);
}

/** Compares what the service returned or, because the contract does not show that response, what it has. */
async function compare<Input extends object>(
  task: Task<Input>,
  desired: Input,
  response: unknown,
  id: string | undefined,
): Promise<Pick<EnsureResult<Input>, "outcome" | "error">> {
  // a response about another entity shows nothing
  const shown = isObject(response) && (idOf(response) ?? id) === id ? response : {};
  if (containsJson(shown, desired, true)) return { outcome: "done" };
  const now = id === undefined ? shown : await readDetail(task, id, shown);
  return containsJson(now, desired)
    ? { outcome: "done" }
    : { outcome: "differs", error: difference(now, desired) };
}

/** The settings of a second look at the list. */
interface SecondLook<Input> extends Task<Input> {
  openList: () => AsyncIterable<unknown>;
  wanted: ReadonlyMap<string, Input>;
  results: EnsureResult<Input>[];
}

/** Looks for entities that were created twice, for those whose response was lost or did not show them, and for each new one. */
async function checkCreated<Input extends object>(look: SecondLook<Input>): Promise<void> {
  const { openList, keyOf, wanted, results } = look;
  const found = await findAll(openList(), wanted, keyOf);
  for (const [index, name] of [...wanted.keys()].entries()) {
    const result = results[index] as EnsureResult<Input>; // there is one for each
    const [entity, ...others] = found.get(name) ?? [];
    const { desired, action, outcome, error } = result;
    if (action !== "create") continue;
    if (entity === undefined) {
      if (outcome === "done") results[index] = { ...result, outcome: "differs", error: unlisted() };
      continue;
    }
    const id = idOf(entity);
    if (others.length > 0)
      results[index] = { desired, action, outcome: "conflict", id, error: ambiguous(others.length + 1) };
    else if (outcome !== "done" && isLost(error))
      results[index] = { desired, action, id, ...(await compare(look, desired, entity, id)) };
  }
}

/** Whether a POST may have been processed although it failed. */
function isLost(error: unknown): boolean {
  return !(error instanceof ApiError && error.status < 500) && !(error instanceof InvalidRequestError);
}

/** Whether an error would occur for every entity. */
function concernsAll(error: unknown): boolean {
  return (
    error instanceof ConfigurationError || (error instanceof ApiError && [401, 403].includes(error.status))
  );
}
