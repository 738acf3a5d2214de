import {
  type CallOptions,
  callOptions,
  concernsAll,
  ConfigurationError,
  InvalidRequestError,
  isNotFound,
  mayHaveBeenProcessed,
  type SyncList,
  type SyncRuntime,
  WriteError,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { difference, malformed, otherEntity, RowError } from "./errors.ts";
import { containsJson, copyJson, isSameJson, sortedJson } from "./json.ts";
import { checkOptions, readCount, runEach, runInOrder, wait } from "./tasks.ts";

/** A resource of a `FleetClient`, such as `fleet.vehicles`: the part that `ensure` uses. */
export interface EnsurableResource<Input> {
  list(query?: undefined, options?: CallOptions): SyncList<unknown>;
  get?(id: string, options?: CallOptions): PromiseLike<unknown>;
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
  update?: boolean | ((found: JsonObject, desired: Input) => Input) | undefined;
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

/** An entity of the list: as the service sent it, and as the client returned it. */
interface Entity {
  sent: JsonObject;
  item: unknown;
}

/** A desired entity and its place in the given ones. */
interface Row<Input> {
  desired: Input;
  /** The JSON of its key. */
  name: string;
}

const known = ["key", "update", "wait", "allowSimilar", "concurrency", "dryRun", "runtime"];

/**
 * Creates the entities that the service does not have, and changes those that differ. A second run changes nothing. A POST
 * whose response was lost is not repeated: the list shows whether it was processed.
 * @returns a result for each desired entity, in their order
 * @throws the error of the list; the reason of the signal if it is aborted
 * @example await ensure(fleet.vehicles, [{ plateNumber: "WX 12345", brand: "MAN" }], { key: "plateNumber" });
 */
export async function ensure<Input extends object>(
  resource: EnsurableResource<Input>,
  desired: Iterable<Input>,
  options: EnsureOptions<Input>,
): Promise<EnsureResult<Input>[]> {
  checkOptions("ensure", options, known);
  const run = new EnsureRun(resource, options);
  const given = [...desired];
  return runInOrder(resource, "ensure", options.signal, () => run.run(given));
}

class EnsureRun<Input extends object> {
  readonly #resource: EnsurableResource<Input>;
  readonly #options: EnsureOptions<Input>;
  readonly #call: CallOptions;
  readonly #concurrency: number;
  /** The reason why nothing further is written, or created. */
  #fatal: { error: unknown } | undefined;
  #noCreation: { error: unknown } | undefined;

  constructor(resource: EnsurableResource<Input>, options: EnsureOptions<Input>) {
    const { key } = options;
    const isKey =
      typeof key === "function" || [key].flat().every((name) => typeof name === "string" && name !== "");
    if (!isKey || [key].flat().length === 0)
      throw new ConfigurationError("ensure: key must be the name of a property, names, or a function");
    this.#resource = resource;
    this.#options = options;
    this.#call = callOptions(options);
    this.#concurrency = readCount("ensure: concurrency", options.concurrency, 4);
  }

  async run(given: readonly Input[]): Promise<EnsureResult<Input>[]> {
    const results = new Map<number, EnsureResult<Input>>();
    const rows = this.#readRows(given, results);
    const { exact, similar } = await this.#findAll(new Set([...rows.values()].map(({ name }) => name)));
    const work = [...rows].map(([index, row]) => ({ index, row, found: exact.get(row.name) ?? [] }));
    const run = async ({ index, row, found }: (typeof work)[number]): Promise<void> => {
      const near = similar.get(looseName(row.name));
      results.set(index, await this.#ensureOne(row, found, near));
    };
    const { signal } = this.#call;
    const missing = work.filter(({ found }) => found.length === 0);
    // the first one shows whether the service keeps keys as they are sent
    for (const first of missing.slice(0, 1)) await run(first);
    const rest = work.filter((entry) => entry !== missing[0]);
    await runEach(rest, { concurrency: this.#concurrency, signal }, run);
    await this.#lookAgain(rows, results);
    return given.map((_, index) => results.get(index) as EnsureResult<Input>); // there is one for each
  }

  /** Reads the keys of the rows; those that are wrong have a result at once. */
  #readRows(given: readonly Input[], results: Map<number, EnsureResult<Input>>): Map<number, Row<Input>> {
    const rows = new Map<number, Row<Input>>();
    const places = new Map<string, number[]>();
    for (const [index, element] of given.entries()) {
      try {
        const copy = copyJson(element);
        const name = isObject(copy) ? this.#nameOf(copy) : undefined;
        if (name === undefined) throw this.#wrongRow("the key is missing");
        rows.set(index, { desired: copy as Input, name }); // the JSON that would be sent
        places.set(name, [...(places.get(name) ?? []), index]);
      } catch (error) {
        results.set(index, this.#failure(element, `row ${index}`, "key", error));
      }
    }
    for (const [name, same] of places) {
      if (same.length < 2) continue;
      for (const index of same) {
        rows.delete(index);
        const error = this.#wrongRow(`the key occurs in several rows: ${same.join(", ")}`);
        results.set(index, this.#failure(given[index] as Input, name, "key", error)); // an index of the array
      }
    }
    return rows;
  }

  /** Reads the whole list; returns the entities with a wanted key, and one for each similar key. */
  async #findAll(names: ReadonlySet<string>) {
    const exact = new Map<string, Entity[]>();
    const similar = new Map<string, string>();
    const loose = new Set([...names].map(looseName));
    for await (const { sent, items } of this.#resource.list(undefined, this.#call).pages())
      for (const [index, entity] of sent.entries()) {
        const name = isObject(entity) ? this.#nameOf(entity) : undefined;
        if (!isObject(entity) || name === undefined) continue;
        const near = looseName(name);
        if (names.has(name)) {
          const same = exact.get(name) ?? [];
          const isRepeated = same.some(
            (other) => idOf(other.sent) === idOf(entity) && idOf(entity) !== undefined,
          );
          if (!isRepeated) exact.set(name, [...same, { sent: entity, item: items[index] }]);
        } else if (loose.has(near)) similar.set(near, name);
      }
    return { exact, similar };
  }

  /** Creates or updates one entity. */
  async #ensureOne(
    { desired, name }: Row<Input>,
    [found, ...others]: readonly Entity[],
    similar: string | undefined,
  ): Promise<EnsureResult<Input>> {
    const { dryRun = false, allowSimilar = false } = this.#options;
    const action = found === undefined ? "create" : "update";
    const id = found && idOf(found.sent);
    const stop = this.#fatal ?? (found === undefined ? this.#noCreation : undefined);
    if (stop !== undefined) return { desired, action: undefined, outcome: "skipped", id, error: stop.error };
    try {
      if (others.length > 0) throw ambiguous(`is that of ${others.length + 1} entities`);
      if (found !== undefined) return await this.#change(desired, found, name);
      if (similar !== undefined && !allowSimilar)
        throw ambiguous(`is similar to that of an entity: ${similar}. Write it so, or set \`allowSimilar\``);
      if (dryRun) return { desired, action, outcome: "planned", id };
      return await this.#create(desired, name);
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      if (concernsAll(error)) this.#fatal = { error };
      return { ...this.#failure(desired, name, action, error), action, id };
    }
  }

  async #create(desired: Input, name: string): Promise<EnsureResult<Input>> {
    const { create, submit } = this.#resource;
    const response = await (create ?? submit)?.call(this.#resource, desired, this.#call);
    const id = idOf(response);
    const now = await this.#readShown(response, id, desired);
    const kept = isObject(now) ? this.#nameOf(now) : undefined;
    const result = { desired, action: "create" as const, id };
    if (kept !== undefined && kept !== name) {
      const issue = {
        path: "key",
        message: `the service has written ${kept}: another run would create it again`,
      };
      const error = new RowError(name, "create", difference("ensure", [issue]));
      this.#noCreation ??= { error };
      return { ...result, outcome: "differs", error };
    }
    return { ...result, ...this.#compare(now, desired, name, "create") };
  }

  /** Changes an entity that differs. */
  async #change(desired: Input, found: Entity, name: string): Promise<EnsureResult<Input>> {
    const { update = true, dryRun = false } = this.#options;
    const id = idOf(found.sent);
    if (id === undefined) throw malformed("ensure", [{ path: "id", message: "is missing" }]);
    const own = idOf(desired);
    if (own !== undefined && own !== id)
      throw otherEntity("ensure", "id", "is not that of the entity with this key");
    // a summary of a list may lack properties of the entity
    const current = containsJson(found.sent, desired, true) ? found.sent : await this.#readWhole(found, id);
    if (this.#nameOf(current) !== name)
      throw otherEntity("ensure", "key", "is not that of the list any more");
    if (containsJson(current, desired)) return { desired, action: undefined, outcome: "unchanged", id };
    if (update === false) return { desired, action: undefined, outcome: "kept", id };
    const isPatch = isPatched(this.#resource);
    const whole = (isPatch ? desired : { ...current, ...desired }) as Input; // an entity with the desired properties
    const body = typeof update === "function" ? update(structuredClone(current), desired) : whole;
    // the caller's function may return what the service has
    if (containsJson(current, copyJson(body)))
      return { desired, action: undefined, outcome: "unchanged", id };
    if (dryRun) return { desired, action: "update", outcome: "planned", id };
    const { patch, update: replace } = this.#resource;
    const response = await (patch ?? replace)?.call(this.#resource, id, body, this.#call);
    const wanted = typeof update === "function" ? body : desired;
    const now = await this.#readShown(response, id, wanted);
    return { desired, action: "update", id, ...this.#compare(now, wanted, name, "update") };
  }

  /** Returns an entity with all of its properties, as the service sends them where the list shows that. */
  async #readWhole({ sent, item }: Entity, id: string): Promise<JsonObject> {
    const detail = await this.#read(id);
    if (detail === undefined) return sent;
    // a shape may have converted a value: what it has made of the list's value is that value
    const listed: JsonObject = isObject(item) ? item : {};
    const isListed = (name: string): boolean => name in sent && isSameJson(detail[name], listed[name]);
    const whole = Object.keys(detail).map((name) => [name, isListed(name) ? sent[name] : detail[name]]);
    return { ...sent, ...(Object.fromEntries(whole) as JsonObject) };
  }

  /** Returns what a response shows of an entity or, because the contract does not describe the response, what it has. */
  async #readShown(response: unknown, id: string | undefined, desired: object): Promise<unknown> {
    const isAbout = isObject(response) && (idOf(response) ?? id) === id;
    if (isAbout && containsJson(response, desired, true)) return response;
    const detail = id === undefined ? undefined : await this.#read(id);
    return detail ?? (isAbout ? response : undefined);
  }

  /** Reads an entity; undefined if the resource cannot read one, such as a template. */
  async #read(id: string): Promise<JsonObject | undefined> {
    const { get } = this.#resource;
    if (get === undefined) return undefined;
    let detail: unknown;
    try {
      detail = await get.call(this.#resource, id, this.#call);
    } catch (error) {
      // gap templates.get-one: a service without this operation lists whole templates
      if (isMissingOperation(error)) return undefined;
      throw error;
    }
    if (!isObject(detail)) throw malformed("ensure", [{ path: "entity", message: "is not an object" }]);
    if (idOf(detail) !== id) throw otherEntity("ensure", "id", "is not the requested one");
    return detail;
  }

  /** Looks for the created entities in the list until it shows all of them, or the time is over. */
  async #lookAgain(
    rows: ReadonlyMap<number, Row<Input>>,
    results: Map<number, EnsureResult<Input>>,
  ): Promise<void> {
    const open = new Map<number, Row<Input>>();
    for (const [index, row] of rows) {
      const { action, outcome, error } = results.get(index) as EnsureResult<Input>; // there is one for each
      const cause = error instanceof RowError ? error.cause : error;
      const isLost = outcome === "failed" && mayHaveBeenProcessed(cause);
      if (action === "create" && (outcome === "done" || isLost)) open.set(index, row);
    }
    const { runtime = globalThis, wait: longest = 5000 } = this.#options;
    for (
      let waited = 0, pause = 250;
      open.size > 0;
      waited += pause, pause = Math.min(2 * pause, longest - waited)
    ) {
      const { exact } = await this.#findAll(new Set([...open.values()].map(({ name }) => name)));
      for (const [index, { desired, name }] of open) {
        const [entity, ...others] = exact.get(name) ?? [];
        if (entity === undefined) continue;
        open.delete(index);
        const result = results.get(index) as EnsureResult<Input>; // as above
        const id = idOf(entity.sent);
        if (others.length > 0) {
          const error = new RowError(name, "create", ambiguous(`is that of ${others.length + 1} entities`));
          results.set(index, { desired, action: "create", outcome: "conflict", id, error });
        } else if (result.outcome === "failed") {
          const now = await this.#readShown(entity.sent, id, desired);
          results.set(index, {
            desired,
            action: "create",
            id,
            ...this.#compare(now, desired, name, "create"),
          });
        }
      }
      if (waited + pause > longest || pause <= 0) break;
      if (open.size > 0) await wait(pause, runtime, this.#call.signal);
    }
    for (const index of open.keys()) {
      const result = results.get(index) as EnsureResult<Input>; // as above
      if (result.outcome === "done") results.set(index, { ...result, isListed: false });
    }
  }

  #compare(
    now: unknown,
    desired: object,
    name: string,
    part: string,
  ): Pick<EnsureResult<Input>, "outcome" | "error"> {
    if (containsJson(now, desired)) return { outcome: "done" };
    const actual: JsonObject = isObject(now) ? now : {};
    const paths = Object.entries(desired).filter(
      ([property, value]) => !containsJson(actual[property], value),
    );
    const issues = paths.map(([path]) => ({ path, message: "has another value" }));
    return { outcome: "differs", error: new RowError(name, part, difference("ensure", issues)) };
  }

  #failure(desired: Input, name: string, part: string, cause: unknown): EnsureResult<Input> {
    const isConflict = cause instanceof WriteError && cause.reason === "ambiguous";
    const outcome = isConflict ? "conflict" : "failed";
    return { desired, action: undefined, outcome, id: undefined, error: new RowError(name, part, cause) };
  }

  #wrongRow(message: string): InvalidRequestError {
    return new InvalidRequestError("ensure", [{ path: "key", message }]);
  }

  /** Returns the JSON of an entity's key, in which a number is its text; undefined if a part of it is missing. */
  #nameOf(entity: JsonObject): string | undefined {
    const { key } = this.#options;
    const value =
      typeof key === "function" ? key(entity) : [key].flat().map((name) => entity[name] ?? undefined);
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    if (parts.some((part) => part === undefined || part === null || part === "")) return undefined;
    const texts = JSON.parse(JSON.stringify(parts), (_, part: unknown) =>
      typeof part === "number" ? String(part) : part,
    ) as unknown[];
    return texts.length === 1 && typeof texts[0] === "string" ? texts[0] : sortedJson(texts);
  }
}

/** Returns a key without what services change: letter case, Unicode form, blanks and punctuation. */
function looseName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Whether an update has only the properties that change. */
function isPatched(resource: EnsurableResource<never>): boolean {
  return resource.patch !== undefined || "submit" in resource || "release" in resource;
}

function isMissingOperation(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 404 && !isNotFound(error);
}

function ambiguous(message: string): WriteError {
  return new WriteError("ensure", "ambiguous", "the entity is not unique", [{ path: "key", message }]);
}

function idOf(entity: unknown): string | undefined {
  const id = isObject(entity) ? entity.id : undefined;
  return (typeof id === "string" && id !== "") || Number.isSafeInteger(id) ? String(id as string) : undefined;
}
