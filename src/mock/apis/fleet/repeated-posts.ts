import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { fleetErrors } from "./errors.ts";
import type { WrittenResource } from "./invented-properties.ts";
import { isObject } from "../../../wire/json.ts";
import { createdResponse } from "./rows.ts";

/** Returns the handler of a POST that recognizes a resource with everything in its body. gap fleet.repeated-post */
export function withRepeatedPosts(resource: WrittenResource, handler: FleetHandler): FleetHandler {
  const run: FleetHandler["run"] = (context) => {
    const reading = context.readings["fleet.repeated-post"];
    const known = reading === "two-resources" ? undefined : findKnown(context, resource);
    if (known === undefined) return handler.run(context);
    if (reading === "first-returned") return createdResponse(context, known);
    const issues = [{ path: "", message: "describes a resource that exists" }];
    return { ...fleetErrors.invalid(issues, context.readings), violations: issues };
  };
  return { ...handler, run };
}

function findKnown({ data, body }: FleetContext, resource: WrittenResource): JsonObject | undefined {
  const { damages: _damages, ...properties } = body; // the damages of an inspection are not in its row
  if (Object.keys(properties).length === 0) return undefined;
  return [...data[resource].values()].find((row) => contains(row, properties));
}

/** Whether a stored value has all that a given one has; the server adds IDs. */
function contains(stored: unknown, given: unknown): boolean {
  if (Array.isArray(given))
    return (
      Array.isArray(stored) &&
      stored.length === given.length &&
      given.every((element, index) => contains(stored[index], element))
    );
  if (!isObject(given)) return stored === given;
  return isObject(stored) && Object.entries(given).every(([name, value]) => contains(stored[name], value));
}
