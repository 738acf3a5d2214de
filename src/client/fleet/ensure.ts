import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { copyOptions } from "../core/pagination/list-call.ts";
import { isIterable } from "../../wire/json.ts";
import type { EnsureOptions } from "./ensure-options.ts";
import type { EnsurableResource, EnsureResult } from "./ensure-run.ts";

/**
 * Creates the entities that do not exist and updates those that differ. Reads the whole list first and finds each entity
 * by its key; a POST whose response is lost is looked up in the list instead of being sent again. Run it again after a
 * failure: what exists is not created twice. Calls for one resource of a client run one after the other.
 * @param resource a resource of the client, such as `fleet.vehicles`
 * @param desired the properties that each entity shall have; others keep their values. Do not change them until the promise
 * settles.
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
  const copied = options && copyOptions(options);
  if (typeof copied?.key === "object" && isIterable(copied.key)) copied.key = [...copied.key];
  const engine = await import("./ensure-run.ts");
  return engine.ensure(resource, elements, copied, fleetOperations.getInspectionTemplate.path);
}
