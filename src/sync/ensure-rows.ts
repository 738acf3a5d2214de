import { copyRows, isThenable } from "./callbacks.ts";
import {
  type CallOptions,
  ConfigurationError,
  InvalidRequestError,
  type SyncRuntime,
  WriteError,
  writeReasonOf,
} from "./clients.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { difference, type JobFailure, RowError } from "./errors.ts";
import { containsJson, sortedJson } from "./json.ts";
import type { RecordSink } from "./sink.ts";

/** The options of `ensure`. */
export interface EnsureOptions<Input> extends CallOptions {
  /**
   * The properties that identify an entity, such as `plateNumber`, or a function that returns what identifies it. No two
   * entities may have the same. With `id` nothing is created.
   */
  key: (keyof Input & string) | readonly (keyof Input & string)[] | ((entity: JsonObject) => unknown);
  /**
   * Remembers what was created, because a POST cannot be repeated: before each POST the intention is saved, after it the ID, so
   * that a killed run and two runs at once create nothing twice. `"none"`: only the list shows what exists. It is needed unless
   * the key is `id` or the run is a `dryRun`.
   */
  sink?: RecordSink | "none" | undefined;
  /**
   * Whether an entity that exists is changed (default: true): a PUT sends the whole entity with the desired properties, a PATCH
   * only these.
   */
  update?: boolean | undefined;
  /**
   * The longest time to wait until the list shows the created entities, in ms (default: 5 000). What this run finishes after that
   * for a killed one adds at most a second.
   */
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
  /** Replaces the clocks and timers of `globalThis`. */
  runtime?: SyncRuntime | undefined;
}

/** The result for one desired entity. */
export interface EnsureResult<Input> {
  desired: Input;
  /** The necessary change; undefined if nothing differs, or before the entity was found. */
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the entity. `unchanged`: it had it before. `kept`: it exists with other values, and `update` is
   * false. `planned`: a dry run. The others are failures. `differs`: the service kept other values. `conflict`: several
   * entities have the key, one has a similar key, or another program has changed the entity. `failed`: `error` is the reason.
   * `skipped`: not tried, because the service writes keys in its own form.
   */
  outcome: "done" | "unchanged" | "kept" | "planned" | "differs" | "conflict" | "failed" | "skipped";
  /** The ID of the entity; undefined if it is not known. */
  id: string | undefined;
  /** False if the list does not show the created entity. */
  isListed?: false;
  /** The reason of a failure. Its message names the key. */
  error?: RowError;
}

/** A desired entity. */
export interface Row<Input> {
  /** Its key as a text. */
  name: string;
  wanted: Input;
  result: EnsureResult<Input>;
  /** Whether this run may have created it. */
  isPosted: boolean;
  /** The intention of another run, whose result is not known. */
  awaited?: string | undefined;
}

/** Returns the text of an entity's key, in which a number is its text; undefined if a part of it is missing. */
export type NameOf = (entity: JsonObject) => string | undefined;

/** Returns the function that reads keys. */
export function keyReader<Input>(key: EnsureOptions<Input>["key"]): NameOf {
  if ([key].flat().length === 0 || ![key].flat().every(Boolean))
    throw new ConfigurationError("ensure: key must be the name of a property, names, or a function");
  return (entity) => {
    const value =
      typeof key === "function" ? key(structuredClone(entity)) : [key].flat().map((name) => entity[name]);
    const parts: unknown[] = [value].flat();
    if (parts.some((part) => isThenable(part) || typeof part === "function"))
      throw new ConfigurationError("ensure: the function of the key must return a value, not a promise");
    if (parts.some((part) => (part ?? "") === "")) return undefined;
    const texts = parts.map((part) => (typeof part === "string" ? part : sortedJson(part)));
    return texts.length === 1 ? texts[0] : JSON.stringify(texts);
  };
}

/** Returns a key without what services change: letter case, Unicode form, blanks and punctuation. */
export function looseName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Reads the desired entities. Those with a wrong key have failed. */
export function readRows<Input extends object>(given: Iterable<Input>, nameOf: NameOf): Row<Input>[] {
  const copies = copyRows("ensure", given);
  const names = copies.map(({ copy }) => nameOf(objectOf(copy)));
  const places = Map.groupBy(names.keys(), (index) => names[index]);
  return copies.map(({ copy, issues }, index) => {
    const { [index]: name = "" } = names;
    const same = places.get(name) ?? [];
    const wanted = copy as Input; // its copy
    const result = { desired: wanted, action: undefined, outcome: "skipped", id: undefined } as const;
    const row: Row<Input> = { name: name || `row ${index}`, wanted, result: { ...result }, isPosted: false };
    if (!isObject(wanted)) issues.push({ path: "", message: "must be an object" });
    else if (name === "") issues.push({ path: "key", message: "is missing" });
    else if (same.length > 1)
      issues.push({ path: "key", message: `occurs in several rows: ${same.join(", ")}` });
    if (issues.length > 0) fail(row, issues[0]?.path || "key", new InvalidRequestError("ensure", issues));
    return row;
  });
}

/** Notes the failure of a row. */
export function fail<Input>({ result, name }: Row<Input>, part: string, cause: unknown): void {
  const reason = writeReasonOf(cause);
  result.outcome = reason === "differs" ? "differs" : "failed";
  if (reason === "ambiguous" || reason === "conflict") result.outcome = "conflict";
  result.error = new RowError(name, part, cause);
}

/** Compares what a service shows of an entity with what was desired, and notes the outcome. */
export function compare<Input extends object>(row: Row<Input>, now: unknown): void {
  const { result, wanted } = row;
  const actual = objectOf(now);
  const paths = Object.entries(wanted).filter(([property, value]) => !containsJson(actual[property], value));
  const issues = paths.map(([path]) => ({ path, message: "has another value" }));
  delete result.error;
  if (isObject(now) && issues.length === 0) result.outcome = "done";
  else fail(row, result.action ?? "create", difference("ensure", issues));
}

/** Returns the failures of results. */
export function failuresOf(results: readonly EnsureResult<unknown>[]): JobFailure[] {
  return results.flatMap(({ error }, row) => (error === undefined ? [] : [{ id: error.key, row, error }]));
}

export function unusable(path: string, message: string): WriteError {
  const issues = [{ path, message }];
  return new WriteError("ensure", "other-entity", "the response is about another entity", issues);
}

export function ambiguous(message: string): WriteError {
  return new WriteError("ensure", "ambiguous", "the entity is not unique", [{ path: "key", message }]);
}

export function idOf(entity: unknown): string | undefined {
  const { id } = objectOf(entity);
  return (id ?? "") === "" ? undefined : String(id);
}
