import type { CallOptions, SyncList, SyncRuntime } from "./clients.ts";
import type { JsonObject } from "../wire/json.ts";
import type { RowError } from "./errors.ts";
import type { RecordSink } from "./sink.ts";

/** A resource of a `FleetClient`, such as `fleet.vehicles`: the part that `ensure` uses. */
export interface EnsurableResource<Input> {
  /** Lists the entities. */
  list(query?: { limit?: number | undefined }, options?: CallOptions): SyncList<unknown>;
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
   * The time after which a POST that another run has begun was not processed if the list does not show its entity, in ms
   * (default: 600 000). Until then nothing is created with its key.
   */
  settle?: number | undefined;
  /**
   * Whether an entity that exists is changed (default: true), or a function that returns the body of the update, from the
   * entity as the service sent it. The default is the whole entity with the desired properties; for a PATCH only these.
   */
  update?: boolean | ((found: JsonObject, desired: Input) => object | PromiseLike<object>) | undefined;
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
