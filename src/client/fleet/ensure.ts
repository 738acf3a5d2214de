import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { isIterable } from "../../wire/json.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { EnsureOptions } from "./ensure-options.ts";

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
  /** The change that is necessary; undefined if there is none or it is not known. */
  action: "create" | "update" | undefined;
  /**
   * `done`: the service has the entity. `unchanged`: it had it before. `differs`: it kept other values. `conflict`:
   * several entities have the key. `failed`: `error` is the reason. `skipped`: not tried, because an earlier failure
   * concerns all. `planned`: a dry run.
   */
  outcome: "done" | "unchanged" | "differs" | "conflict" | "failed" | "skipped" | "planned";
  /** The ID of the entity; undefined if the service returned none. */
  id: string | undefined;
  /** The reason, unless the outcome is `done`, `unchanged` or `planned`. */
  error?: unknown;
}

/**
 * Creates the entities that do not exist and updates those that differ. Reads the whole list first and finds each entity
 * by its key; a POST whose response is lost is looked up in the list instead of being sent again. Run it again after a
 * failure: what exists is not created twice. Calls for one resource of a client run one after the other.
 * @param resource a resource of the client, such as `fleet.vehicles`
 * @param desired the properties that each entity shall have; others keep their values
 * @returns a result for each desired entity, in their order
 * @throws {InvalidRequestError} if a desired entity has no key or the key of another one
 * @example
 * const results = await ensure(fleet.vehicles, [{ plateNumber: "WX 12345", brand: "MAN" }], { key: "plateNumber" });
 */
export async function ensure<Input extends object>(
  resource: EnsurableResource<Input>,
  desired: Iterable<Input>,
  options: EnsureOptions<Input>,
): Promise<EnsureResult<Input>[]> {
  const elements = isIterable(desired) ? [...desired] : desired; // before the caller can change them
  const engine = await import("./ensure-run.ts");
  return engine.ensure(resource, elements, options, fleetOperations.getInspectionTemplate.path);
}
