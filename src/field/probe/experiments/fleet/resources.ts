import { isPathId, pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS } from "../../../routes.ts";
import { dataOf, rowsOf } from "../../exchange.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { TEMPLATES } from "./data.ts";

/** @throws {Missing} if the run may not write to the sandbox */
export function sandboxOf({ sandboxWrites }: ExperimentTools): Sandbox {
  if (sandboxWrites === undefined) throw new Missing("a key of the sandbox");
  return sandboxWrites;
}

export const VEHICLES = FLEET_PATHS.vehicles;
export const GROUPS = FLEET_PATHS.vehicleGroups;
export const DAMAGES = FLEET_PATHS.damages;
export const INSPECTIONS = FLEET_PATHS.inspections;
export const ASSIGNMENTS = FLEET_PATHS.driverAssignments;

type Bodies = Readonly<Record<string, (tools: ExperimentTools) => JsonObject | Promise<JsonObject>>>;

/** Returns a text that no other resource has. */
function uniqueText(tools: ExperimentTools): string {
  return `${tools.marker}-${tools.uuid().slice(0, 4)}`;
}

/** The bodies of resources. Each contains the marker, and differs from that of every other resource. */
const BODIES: Bodies = {
  [VEHICLES]: (tools) => {
    const vin = tools.uuid().replaceAll("-", "").slice(0, 17).toUpperCase();
    return { plateNumber: tools.marker, brand: "Probe", model: "Probe", vin, type: "TRACTOR_UNIT" };
  },
  [GROUPS]: (tools) => ({ name: uniqueText(tools) }),
  [TEMPLATES]: (tools) => ({
    title: uniqueText(tools),
    description: "Made by a probe",
    isActive: false,
    items: [],
  }),
  [DAMAGES]: async (tools) => ({
    vehicleId: idOf(await ownResource(tools, VEHICLES)),
    description: uniqueText(tools),
    photoUrl: "https://example.com/probe.jpg",
    status: "TO_REPAIR_WARNING",
  }),
  [INSPECTIONS]: async (tools) => {
    // the responses and damages of an inspection could change its vehicles
    const { id } = await existing(tools, INSPECTIONS);
    if (!isPathId(id)) throw new Missing("an inspection of the sandbox");
    const path = `${INSPECTIONS}/${pathSegment(id)}`;
    const { id: _id, ...properties } = dataOf(await sandboxOf(tools).service.get(path));
    return { ...properties, responses: [], damages: [], notes: uniqueText(tools) };
  },
  [ASSIGNMENTS]: async (tools) => {
    const { id: _id, ...properties } = await existing(tools, ASSIGNMENTS);
    return { ...properties, notes: uniqueText(tools) };
  },
};

/** Returns an existing row: the contract does not show which properties a POST takes. */
async function existing(tools: ExperimentTools, list: string): Promise<JsonObject> {
  const [row] = rowsOf(await sandboxOf(tools).service.get(list, { limit: "1" }));
  return row ?? {};
}

/** Creates a resource in the sandbox. @throws {Missing} if the service rejects it */
export async function createResource(tools: ExperimentTools, list: string): Promise<CreatedResource> {
  return sandboxOf(tools).create(list, (await BODIES[list]?.(tools)) ?? {});
}

/** Returns a resource of this run that no experiment deletes, once in a round. */
export function ownResource(tools: ExperimentTools, list: string): Promise<CreatedResource> {
  return tools.once(list, () => createResource(tools, list));
}

export function idOf({ list, path }: CreatedResource): string {
  return decodeURIComponent(path.slice(list.length + 1));
}
