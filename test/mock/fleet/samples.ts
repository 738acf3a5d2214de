import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import { fleetIdsOf, fleetSamples } from "../../operations/fleet-samples.ts";
import type { Sample } from "../../operations/sample.ts";
import type { Carried, FleetCaller } from "./fleet-caller.ts";

/** The seeded inspection that the samples use. */
export function firstInspection({ ref }: FleetCaller): string {
  return fleetIdsOf(ref).inspectionId;
}

/** A request of each operation that succeeds on a server with its own seed. */
export function samples({ ref }: FleetCaller): Record<FleetOperationId, Carried> {
  const found: [string, Sample][] = Object.entries(fleetSamples(fleetIdsOf(ref)));
  return Object.fromEntries(found.map(([id, sample]) => [id, toRequestParts(sample)])) as Record<
    FleetOperationId,
    Carried
  >; // one entry for each id
}

function toRequestParts({ path, query, body }: Sample): Carried {
  const { id } = (path ?? {}) as { id?: string };
  return {
    ...(id !== undefined && { id }),
    ...(query !== undefined && { query: query as Record<string, string | number> }),
    ...(body !== undefined && { body }),
  };
}
