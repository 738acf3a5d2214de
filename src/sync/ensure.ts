import {
  type CallOptions,
  callOptions,
  concernsAll,
  ConfigurationError,
  FleetApiError,
  InvalidRequestError,
  isNotFound,
  mayHaveBeenProcessed,
  type SyncList,
  type SyncRuntime,
  WriteError,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { difference, RowError } from "./errors.ts";
import { containsJson, copyJson, isSameJson, sortedJson } from "./json.ts";
import { runEach, runInOrder, wait } from "./tasks.ts";

/** A resource of a `FleetClient`, such as `fleet.vehicles`: the part that `ensure` uses. */
export interface EnsurableResource<Input> {
  /** Lists the entities. */
  list(query?: undefined, options?: CallOptions): SyncList<unknown>;
  /** Reads an entity. */
  get?(id: string, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an entity. */
  create?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Creates an inspection. */
  submit?(input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Replaces an entity. */
  update?(id: string, input: Input, options?: CallOptions): PromiseLike<unknown>;
  /** Changes the given properties of an entity. */
  patch?(id: string, input: Input, options?: CallOptions): PromiseLike<unknown>;
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
  /** False if the list does not show a created entity yet: another run would create it again. */
  isListed?: false;
  /** The reason, unless the outcome is `done`, `unchanged`, `kept` or `planned`. Its message names the key. */
  error?: unknown;
}

/**
 * Creates the entities that the service does not have, and changes those that differ. A second run changes nothing. A POST
 * whose response was lost is not repeated: the list shows whether it was processed.
 * @returns a result for each desired entity, in their order
 * @throws the error of the list; the reason of the signal if it is aborted
 * @example await ensure(fleet.vehicles, [{ plateNumber: "WX 12345", brand: "MAN" }], { key: "plateNumber" });
 */
export function ensure<Input extends object>(
  resource: EnsurableResource<Input>,
  desired: Iterable<Input>,
  options: EnsureOptions<Input>,
): Promise<EnsureResult<Input>[]> {
  const { update = true, dryRun = false, allowSimilar = false, signal, runtime = globalThis } = options;
  const { key, wait: longestWait = 5000 } = options;
  const isKey = typeof key === "function" || ([key].flat().length > 0 && [key].flat().every(Boolean));
  if (!isKey)
    throw new ConfigurationError("ensure: key must be the name of a property, names, or a function");
  const { concurrency = 4 } = options;
  const call = callOptions(options);
  const given = [...desired];
  const results: EnsureResult<Input>[] = [];
  const rows: Row<Input>[] = [];
  /** The keys of the entities whose POST had a response. */
  const posted = new Set<string>();
  let fatal: { error: unknown } | undefined;
  let noCreation: { error: unknown } | undefined;
  return runInOrder(resource, "ensure", signal, async () => {
    readRows();
    const { exact, similar } = await findAll(rows);
    const run = async (row: Row<Input>): Promise<void> => {
      results[row.index] = await ensureOne(row, exact.get(row.name) ?? [], similar.get(looseName(row.name)));
    };
    // the first one shows whether the service keeps keys as they are sent
    const first = rows.find(({ name }) => !exact.has(name));
    if (first !== undefined) await run(first);
    const others = rows.filter((row) => row !== first);
    await runEach(others, { concurrency, signal }, run);
    await lookAgain();
    return results;
  });

  /** Reads the keys of the rows; those that are wrong have a result at once. */
  function readRows(): void {
    const copies = given.map((element) => copyJson(element)); // the JSON that would be sent
    const names = copies.map((copy) => (isObject(copy) ? nameOf(copy) : undefined));
    const places = Map.groupBy(names.keys(), (index) => names[index]);
    for (const [index, name] of names.entries()) {
      const same = places.get(name) ?? [];
      const problem = name === undefined ? "is missing" : `occurs in several rows: ${same.join(", ")}`;
      const error = new InvalidRequestError("ensure", [{ path: "key", message: problem }]);
      if (name === undefined || same.length > 1)
        results[index] = failure(given[index] as Input, name ?? `row ${index}`, "key", error); // an index of the array
      else rows.push({ index, name, desired: copies[index] as Input }); // its own copy
    }
  }

  /** Reads the whole list; returns the entities with a wanted key, and a key for each similar one. */
  async function findAll(wanted: readonly Row<Input>[]) {
    const exact = new Map<string, Entity[]>(wanted.map(({ name }) => [name, []]));
    const similar = new Map<string, string>();
    const loose = new Set(wanted.map(({ name }) => looseName(name)));
    for await (const { sent, items } of resource.list(undefined, call).pages())
      for (const [index, entity] of sent.entries()) {
        const name = isObject(entity) ? nameOf(entity) : undefined;
        if (!isObject(entity) || name === undefined) continue;
        const same = exact.get(name);
        if (same === undefined && loose.has(looseName(name))) similar.set(looseName(name), name);
        const isRepeated = same?.some((other) => idOf(other.sent) === (idOf(entity) ?? NaN));
        if (isRepeated === false) same?.push({ sent: entity, item: items[index] });
      }
    for (const [name, found] of exact) if (found.length === 0) exact.delete(name);
    return { exact, similar };
  }

  /** Creates or updates one entity. */
  async function ensureOne(
    { desired: wanted, name }: Row<Input>,
    [found, ...others]: readonly Entity[],
    similar: string | undefined,
  ): Promise<EnsureResult<Input>> {
    const action = found === undefined ? "create" : "update";
    const id = found && idOf(found.sent);
    const stop = fatal ?? (found === undefined ? noCreation : undefined);
    if (stop !== undefined)
      return { desired: wanted, action: undefined, outcome: "skipped", id, error: stop.error };
    try {
      if (others.length > 0) throw ambiguous(`is that of ${others.length + 1} entities`);
      if (found !== undefined) return await change(wanted, found, name);
      if (similar !== undefined && !allowSimilar)
        throw ambiguous(`is similar to that of an entity: ${similar}. Write it so, or set \`allowSimilar\``);
      if (dryRun) return { desired: wanted, action, outcome: "planned", id };
      return await create(wanted, name);
    } catch (error) {
      signal?.throwIfAborted();
      if (concernsAll(error)) fatal = { error };
      return { ...failure(wanted, name, action, error), action, id };
    }
  }

  async function create(wanted: Input, name: string): Promise<EnsureResult<Input>> {
    const response = await (resource.submit?.(wanted, call) ?? resource.create?.(wanted, call));
    const id = idOf(response);
    posted.add(name);
    const now = await readShown(response, id, wanted);
    const kept = isObject(now) ? nameOf(now) : undefined;
    const result = { desired: wanted, action: "create" as const, id };
    if (kept === undefined || kept === name) return { ...result, ...compare(now, wanted, name, "create") };
    const message = `the service has written ${kept}: another run would create it again`;
    const error = new RowError(name, "create", difference("ensure", [{ path: "key", message }]));
    noCreation ??= { error };
    return { ...result, outcome: "differs", error };
  }

  /** Changes an entity that differs. */
  async function change(wanted: Input, found: Entity, name: string): Promise<EnsureResult<Input>> {
    const id = idOf(found.sent);
    if (id === undefined) throw unusable("id", "is missing");
    if ((idOf(wanted) ?? id) !== id) throw unusable("id", "is not that of the entity with this key");
    // a summary of a list may lack properties of the entity
    const current = containsJson(found.sent, wanted, true) ? found.sent : await readWhole(found, id);
    if (nameOf(current) !== name) throw unusable("key", "is not that of the list any more");
    const result = { desired: wanted, id, action: undefined };
    if (containsJson(current, wanted)) return { ...result, outcome: "unchanged" };
    if (update === false) return { ...result, outcome: "kept" };
    // those of inspections and driver assignments
    const isPatch = resource.patch !== undefined || "submit" in resource || "release" in resource;
    const whole = isPatch ? wanted : { ...current, ...wanted };
    // the caller's function returns what its service takes
    const body = typeof update === "function" ? (update(structuredClone(current), wanted) as Input) : whole;
    // the caller's function may return what the service has
    if (containsJson(current, copyJson(body))) return { ...result, outcome: "unchanged" };
    if (dryRun) return { ...result, action: "update", outcome: "planned" };
    const response = await (resource.patch?.(id, body, call) ?? resource.update?.(id, body, call));
    const sent = typeof update === "function" ? body : wanted;
    const now = await readShown(response, id, sent);
    return { ...result, action: "update", ...compare(now, sent, name, "update") };
  }

  /** Returns an entity with all of its properties, as the service sends them where the list shows that. */
  async function readWhole({ sent, item }: Entity, id: string): Promise<JsonObject> {
    const detail = await read(id);
    if (detail === undefined) return sent;
    // a shape may have converted a value: what it has made of the list's value is that value
    const listed: JsonObject = isObject(item) ? item : {};
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
      detail = await resource.get?.(id, call);
    } catch (error) {
      if (error instanceof FleetApiError && error.status === 404 && !isNotFound(error)) return undefined;
      throw error;
    }
    if (detail === undefined) return undefined;
    if (!isObject(detail) || idOf(detail) !== id) throw unusable("id", "is not the requested one");
    return detail;
  }

  /** Looks for the created entities in the list until it shows all of them, or the time is over. */
  async function lookAgain(): Promise<void> {
    let open = rows.filter(({ index, name }) => {
      const { action, outcome, error } = results[index] as EnsureResult<Input>; // there is one for each
      const isLost = posted.has(name) || (error instanceof RowError && mayHaveBeenProcessed(error.cause));
      return action === "create" && (outcome === "done" || (outcome === "failed" && isLost));
    });
    for (let waited = 0, pause = 250; open.length > 0; ) {
      const found = await findAll(open).catch(() => undefined);
      signal?.throwIfAborted();
      if (found === undefined) break; // the results are those of the writes
      const { exact } = found;
      for (const row of open) await judge(row, exact.get(row.name) ?? []);
      open = open.filter(({ name }) => !exact.has(name));
      pause = Math.min(2 * pause, longestWait - waited);
      if (open.length === 0 || pause <= 0) break;
      await wait(pause, runtime, signal);
      waited += pause;
    }
    for (const { index } of open) {
      const result = results[index] as EnsureResult<Input>; // as above
      if (result.outcome === "done") results[index] = { ...result, isListed: false };
    }
  }

  /** Judges a created entity by the list. */
  async function judge(
    { index, name, desired: wanted }: Row<Input>,
    [entity, ...others]: Entity[],
  ): Promise<void> {
    if (entity === undefined) return;
    const id = idOf(entity.sent);
    const result = { desired: wanted, action: "create" as const, id };
    if (others.length > 0) {
      const error = new RowError(name, "create", ambiguous(`is that of ${others.length + 1} entities`));
      results[index] = { ...result, outcome: "conflict", error };
    } else if (results[index]?.outcome === "failed") {
      const now = await readShown(entity.sent, id, wanted).catch(() => entity.sent);
      results[index] = { ...result, ...compare(now, wanted, name, "create") };
    }
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

/** An entity of the list: as the service sent it, and as the client returned it. */
interface Entity {
  sent: JsonObject;
  item: unknown;
}

/** A desired entity, its place in the given ones, and the JSON of its key. */
interface Row<Input> {
  index: number;
  name: string;
  desired: Input;
}

function failure<Input>(desired: Input, name: string, part: string, cause: unknown): EnsureResult<Input> {
  const isConflict = cause instanceof WriteError && cause.reason === "ambiguous";
  const error = new RowError(name, part, cause);
  return { desired, action: undefined, outcome: isConflict ? "conflict" : "failed", id: undefined, error };
}

function compare(
  now: unknown,
  wanted: object,
  name: string,
  part: string,
): Pick<EnsureResult<object>, "outcome" | "error"> {
  if (containsJson(now, wanted)) return { outcome: "done" };
  const actual: JsonObject = isObject(now) ? now : {};
  const paths = Object.entries(wanted).filter(([property, value]) => !containsJson(actual[property], value));
  const issues = paths.map(([path]) => ({ path, message: "has another value" }));
  return { outcome: "differs", error: new RowError(name, part, difference("ensure", issues)) };
}

/** Returns a key without what services change: letter case, Unicode form, blanks and punctuation. */
function looseName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function unusable(path: string, message: string): WriteError {
  return new WriteError("ensure", "other-entity", "the response is about another entity", [
    { path, message },
  ]);
}

function ambiguous(message: string): WriteError {
  return new WriteError("ensure", "ambiguous", "the entity is not unique", [{ path: "key", message }]);
}

function idOf(entity: unknown): string | undefined {
  const id = isObject(entity) ? entity.id : undefined;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id !== "" ? id : undefined;
}
