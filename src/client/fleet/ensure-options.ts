import { isObject, type JsonObject } from "../../wire/json.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import { check } from "../core/options/check.ts";
import type { CallOptions } from "../core/options/options.ts";

/** Options of `ensure`. */
export interface EnsureOptions<Input> extends CallOptions {
  /**
   * The properties that identify an entity, such as `plateNumber`, or a function that returns what identifies it. No
   * two entities may have the same.
   */
  key: (keyof Input & string) | readonly (keyof Input & string)[] | ((entity: JsonObject) => unknown);
  /**
   * Returns the body of an update, from the entity as the service sent it (default: the whole entity with the desired
   * properties; for a PATCH only these).
   */
  toUpdate?: ((found: JsonObject, desired: Input) => Input) | undefined;
  /** The number of entities that are written at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Reads, and writes nothing: the outcomes are `planned`, `unchanged` and `failed` (default: false). */
  dryRun?: boolean | undefined;
}

export function readOptions<Input>(options: EnsureOptions<Input>) {
  if (!isObject(options)) throw new ConfigurationError("ensure: the options must be an object { key }");
  // each value is checked below
  const { key, toUpdate, concurrency = 4, dryRun = false, ...call } = options as EnsureOptions<Input>;
  const isKey =
    typeof key === "function" || (key !== undefined && [key].flat().every(isName) && key.length > 0);
  if (!isKey) throw new ConfigurationError("key must be the name of a property, names, or a function");
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new ConfigurationError("concurrency must be a positive integer");
  check("dryRun must be true or false", dryRun, (value) => typeof value === "boolean");
  check("toUpdate must be a function", toUpdate, (value) => typeof value === "function");
  return { key, toUpdate, concurrency, dryRun, call };
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "";
}
