import {
  type CallOptions,
  callOptions,
  concernOf,
  ConfigurationError,
  statusOf,
  InvalidRequestError,
  isNotFound,
  mayHaveBeenProcessed,
  type SyncList,
  type SyncRuntime,
  WriteError,
} from "./clients.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { difference, finishJob, type JobFailure, RowError } from "./errors.ts";
import { containsJson, copyJson, isSameJson, sortedJson } from "./json.ts";
import { runEach, runInOrder, wait } from "./tasks.ts";

/** A resource of a `FleetClient`, such as `fleet.vehicles`: the part that `ensure` uses. */
export interface EnsurableResource<Input> {
  /** Lists the entities. */
  list(query?: undefined, options?: CallOptions): SyncList<unknown>;
  /** Reads an entity. */
  get(id: string, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an entity. */
  create?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an inspection. */
  submit?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Replaces an entity, or changes the given properties of an inspection or a driver assignment. */
  update(id: string, input: Input, options?: CallOptions): PromiseLike<unknown>;
}

/** The options of `ensure`. */
export interface EnsureOptions<Input> extends CallOptions {
  /**
   * The properties that identify an entity, such as `plateNumber`, or a function that returns what identifies it. No two
   * entities may have the same.
   */
  key: (keyof Input & string) | readonly (keyof Input & string)[] | ((entity: JsonObject) => unknown);
  /**
   * Whether an entity that exists is changed (default: true), or a function that returns the body of the update, from the
   * entity as the service sent it. The default is the whole entity with the desired properties; for a PATCH only these.
   */
  update?: boolean | ((found: JsonObject, desired: Input) => object) | undefined;
  /** The longest time to wait until the list shows the created entities, in ms (default: 5 000). */
  wait?: number | undefined;
  /**
   * Creates an entity although the list has one whose key differs only in letter case, blanks or punctuation (default:
   * false: such an entity is a `conflict`, because a service may write keys in its own form).
   */
  allowSimilar?: boolean | undefined;
  /** The number of entities that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Reads, and writes nothing (default: false). */
  dryRun?: boolean | undefined;
  /** Replaces the timers of `globalThis`. */
  runtime?: SyncRuntime | undefined;
}

/** The result for one desired entity. */
export interface EnsureResult<Input> {
  desired: Input;
  /** The necessary change; undefined if nothing differs, or before the entity was found. */
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the entity. `unchanged`: it had it before. `kept`: it exists with other values, and `update` is
   * false. `differs`: the service kept other values. `conflict`: several entities have the key, or one has a similar key.
   * `failed`: `error` is the reason. `skipped`: not tried, because an earlier failure concerns all. `planned`: a dry run.
   */
  outcome: "done" | "unchanged" | "kept" | "differs" | "conflict" | "failed" | "skipped" | "planned";
  /** The ID of the entity; undefined if it is not known. */
  id: string | undefined;
  /** False if the list does not show the created entity. */
  isListed?: false;
  /** The reason, unless the outcome is `done`, `unchanged`, `kept` or `planned`. Its message names the key. */
  error?: RowError;
}

/**
 * Creates the entities that the service does not have, and changes those that differ. A second run changes nothing. A POST
 * whose response was lost is not repeated: the list shows whether it was processed.
 * @returns a result for each desired entity, in their order
 * @throws {JobError} if one has failed; it has the results
 * @throws the error of the list; the reason of the signal if it is aborted
 * @example await ensure(fleet.vehicles, [{ plateNumber: "WX 12345", brand: "MAN" }], { key: "plateNumber" });
 */
export async function ensure<Input extends object>(
  resource: EnsurableResource<Input>,
  desired: Iterable<Input>,
  options: EnsureOptions<Input>,
): Promise<EnsureResult<Input>[]> {
  const { update = true, dryRun = false, allowSimilar = false, signal, runtime = globalThis } = options;
  const { key, wait: longestWait = 5000, concurrency } = options;
  if ([key].flat().length === 0 || ![key].flat().every(Boolean))
    throw new ConfigurationError("ensure: key must be the name of a property, names, or a function");
  const call = callOptions(options);
  const rows = readRows([...desired]);
  let fatal: RowError | undefined;
  let noCreation: RowError | undefined;
  return runInOrder(resource, "ensure", signal, async () => {
    const open = rows.filter(({ result }) => result.outcome === "skipped");
    const found = await findAll(open);
    // the first one shows whether the service keeps keys as they are sent
    const first = open.find((row) => exactOf(found, row).length === 0);
    if (first !== undefined) await ensureOne(first, found);
    const others = open.filter((row) => row !== first);
    await runEach(others, { concurrency, signal }, (row) => ensureOne(row, found));
    await lookAgain();
    const results = rows.map(({ result }) => result);
    return finishJob("ensure", failuresOf(results), results);
  });

  /** Reads the keys of the rows; those that are wrong have failed. */
  function readRows(given: readonly Input[]): Row<Input>[] {
    const copies = given.map((element) => copyJson(element)); // the JSON that would be sent
    const names = copies.map((copy) => nameOf(objectOf(copy)));
    const places = Map.groupBy(names.keys(), (index) => names[index]);
    return names.map((name = "", index) => {
      const same = places.get(name) ?? [];
      const wanted = (isObject(copies[index]) ? copies[index] : given[index]) as Input; // its own copy
      const result = { desired: wanted, action: undefined, outcome: "skipped", id: undefined } as const;
      const row: Row<Input> = {
        name: name || `row ${index}`,
        wanted,
        result: { ...result },
        isPosted: false,
      };
      const message = name === "" ? "is missing" : `occurs in several rows: ${same.join(", ")}`;
      if (name === "" || same.length > 1)
        fail(row, "key", new InvalidRequestError("ensure", [{ path: "key", message }]));
      return row;
    });
  }

  /** Reads the whole list; returns the entities with a wanted or a similar key. */
  async function findAll(wanted: readonly Row<Input>[]): Promise<Entities> {
    const found: Entities = new Map(wanted.map(({ name }) => [looseName(name), []]));
    for await (const { sent, items } of resource.list(undefined, call).pages())
      for (const [index, entity] of sent.entries()) {
        const name = nameOf(objectOf(entity));
        if (name === undefined) continue;
        found.get(looseName(name))?.push({ name, sent: objectOf(entity), item: items[index] });
      }
    return found;
  }

  /** Creates or updates one entity. */
  async function ensureOne(row: Row<Input>, entities: Entities): Promise<void> {
    const { name, result } = row;
    const [found, ...others] = exactOf(entities, row);
    const [similar] = entities.get(looseName(name)) ?? [];
    result.id = found && idOf(found.sent);
    const error = fatal ?? (found === undefined ? noCreation : undefined);
    if (error !== undefined) return void Object.assign(result, { error });
    result.action = found === undefined ? "create" : "update";
    try {
      if (others.length > 0) throw ambiguous(`is that of ${others.length + 1} entities`);
      if (found !== undefined) return await change(row, found);
      if (similar !== undefined && !allowSimilar)
        throw ambiguous(`is similar to ${similar.name}, which exists: write it so, or set \`allowSimilar\``);
      if (dryRun) result.outcome = "planned";
      else await create(row);
    } catch (cause) {
      signal?.throwIfAborted();
      fail(row, result.action, cause);
      row.isPosted ||= result.action === "create" && mayHaveBeenProcessed(cause);
      if (concernOf(cause) === "everything") fatal ??= result.error;
    }
  }

  async function create(row: Row<Input>): Promise<void> {
    const { name, wanted, result } = row;
    const response = await (resource.submit?.(wanted, call) ?? resource.create?.(wanted, call));
    result.id = idOf(response);
    row.isPosted = true;
    const now = await readShown(response, result.id, wanted);
    const kept = isObject(now) ? nameOf(now) : undefined;
    const message = `the service has written ${kept}: another run would create it again`;
    if (kept === undefined || kept === name) return compare(row, now);
    fail(row, "create", difference("ensure", [{ path: "key", message }]));
    noCreation ??= result.error;
  }

  /** Changes an entity that differs. */
  async function change(row: Row<Input>, found: Entity): Promise<void> {
    const { name, wanted, result } = row;
    const id = idOf(found.sent);
    if (id === undefined) throw unusable("id", "is missing");
    if ((idOf(wanted) ?? id) !== id) throw unusable("id", "is not that of the entity with this key");
    // a summary of a list may lack properties of the entity
    const current = containsJson(found.sent, wanted, true) ? found.sent : await readWhole(found, id);
    if (nameOf(current) !== name) throw unusable("key", "is not that of the list any more");
    // those of inspections and driver assignments
    const isPatch = "submit" in resource || "release" in resource;
    const isOwn = typeof update === "function";
    // the caller's function returns what its service takes
    const isThere = containsJson(current, wanted);
    const own = isOwn && !isThere ? (update(structuredClone(current), wanted) as Input) : wanted;
    const isSame = isThere || containsJson(current, copyJson(own));
    if (isSame || update === false)
      return void Object.assign(result, { action: undefined, outcome: isSame ? "unchanged" : "kept" });
    if (dryRun) return void (result.outcome = "planned");
    const body = isOwn || isPatch ? own : { ...current, ...wanted };
    const response = await resource.update(id, body, call);
    compare(row, await readShown(response, id, own), own);
  }

  /** Returns an entity with all of its properties, as the service sends them where the list shows that. */
  async function readWhole({ sent, item }: Entity, id: string): Promise<JsonObject> {
    const detail = await read(id);
    if (detail === undefined) return sent;
    // a shape may have converted a value: what it has made of the list's value is that value
    const listed = objectOf(item);
    const isListed = (name: string): boolean => name in sent && isSameJson(detail[name], listed[name]);
    const whole = Object.keys(detail).map((name) => [name, isListed(name) ? sent[name] : detail[name]]);
    return { ...sent, ...(Object.fromEntries(whole) as JsonObject) };
  }

  /** Returns what a response shows of an entity or, because the contract does not describe the response, what it has. */
  async function readShown(response: unknown, id: string | undefined, wanted: object): Promise<unknown> {
    const isAbout = isObject(response) && (idOf(response) ?? id) === id;
    if (isAbout && containsJson(response, wanted, true)) return response;
    const detail = id === undefined ? undefined : await read(id);
    return detail ?? (isAbout ? response : undefined);
  }

  /** Reads an entity; undefined if the service cannot read one, such as a template (gap templates.get-one). */
  async function read(id: string): Promise<JsonObject | undefined> {
    let detail: unknown;
    try {
      detail = await resource.get(id, call);
    } catch (error) {
      if (statusOf(error) === 404 && !isNotFound(error)) return undefined;
      throw error;
    }
    if (detail === undefined) return undefined;
    if (!isObject(detail) || idOf(detail) !== id) throw unusable("id", "is not the requested one");
    return detail;
  }

  /** Looks for the created entities in the list until it shows all of them, or the time is over. */
  async function lookAgain(): Promise<void> {
    let open = rows.filter(({ result, isPosted }) => isPosted && ["done", "failed"].includes(result.outcome));
    for (let waited = 0, pause = 250; open.length > 0; ) {
      const found = await findAll(open).catch(() => undefined);
      signal?.throwIfAborted();
      if (found === undefined) break; // the results are those of the writes
      for (const row of open) await judge(row, exactOf(found, row));
      open = open.filter((row) => exactOf(found, row).length === 0);
      pause = Math.min(2 * pause, longestWait - waited);
      if (open.length === 0 || pause <= 0) break;
      await wait(pause, runtime, signal);
      waited += pause;
    }
    for (const row of open) {
      if (row.result.outcome !== "done") continue;
      fail(row, "create", difference("ensure", [{ path: "", message: notListed }]));
      Object.assign(row.result, { outcome: "failed", isListed: false });
    }
  }

  /** Judges a created entity by the list. */
  async function judge(row: Row<Input>, [entity, ...others]: Entity[]): Promise<void> {
    if (entity === undefined) return;
    const { result, wanted } = row;
    result.id = idOf(entity.sent);
    if (others.length > 0) fail(row, "create", ambiguous(`is that of ${others.length + 1} entities`));
    else if (result.outcome === "failed")
      compare(row, await readShown(entity.sent, result.id, wanted).catch(() => entity.sent));
  }

  /** Returns the JSON of an entity's key, in which a number is its text; undefined if a part of it is missing. */
  function nameOf(entity: JsonObject): string | undefined {
    const value = typeof key === "function" ? key(entity) : [key].flat().map((name) => entity[name]);
    const parts: unknown[] = [value].flat();
    if (parts.some((part) => (part ?? "") === "")) return undefined;
    const texts = parts.map((part) => (typeof part === "string" ? part : sortedJson(part)));
    return texts.length === 1 ? texts[0] : JSON.stringify(texts);
  }
}

/** An entity of the list: its key, as the service sent it, and as the client returned it. */
interface Entity {
  name: string;
  sent: JsonObject;
  item: unknown;
}

/** Entities by the loose form of their key. */
type Entities = Map<string, Entity[]>;

/** A desired entity, the JSON of its key, its result, and whether it may have been created. */
interface Row<Input> {
  name: string;
  wanted: Input;
  result: EnsureResult<Input>;
  isPosted: boolean;
}

const notListed = "the list does not show the created entity: another run would create it again";

function failuresOf(results: readonly EnsureResult<unknown>[]): JobFailure[] {
  return results.flatMap(({ error }, row) => (error === undefined ? [] : [{ id: error.key, row, error }]));
}

function exactOf(entities: Entities, { name }: { name: string }): Entity[] {
  return (entities.get(looseName(name)) ?? []).filter((entity) => entity.name === name);
}

function fail<Input>({ result, name }: Row<Input>, part: string, cause: unknown): void {
  const reason = cause instanceof WriteError ? cause.reason : undefined;
  result.outcome = reason === "ambiguous" ? "conflict" : reason === "differs" ? "differs" : "failed";
  result.error = new RowError(name, part, cause);
}

function compare<Input extends object>(row: Row<Input>, now: unknown, wanted: object = row.wanted): void {
  const { result } = row;
  const actual = objectOf(now);
  const paths = Object.entries(wanted).filter(([property, value]) => !containsJson(actual[property], value));
  const issues = paths.map(([path]) => ({ path, message: "has another value" }));
  delete result.error;
  if (isObject(now) && issues.length === 0) result.outcome = "done";
  else fail(row, result.action ?? "create", difference("ensure", issues));
}

/** Returns a key without what services change: letter case, Unicode form, blanks and punctuation. */
function looseName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function unusable(path: string, message: string): WriteError {
  const issues = [{ path, message }];
  return new WriteError("ensure", "other-entity", "the response is about another entity", issues);
}

function ambiguous(message: string): WriteError {
  return new WriteError("ensure", "ambiguous", "the entity is not unique", [{ path: "key", message }]);
}

function idOf(entity: unknown): string | undefined {
  const { id } = objectOf(entity);
  return (id ?? "") === "" ? undefined : String(id);
}
