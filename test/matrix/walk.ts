import { fleetOperations } from "../../generated/fleet.operations.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import type { ReadingsOption } from "../../src/mock/index.ts";
import { ShelfleetError } from "../../src/index.ts";
import { operationsOf } from "../operations/operations.ts";
import { fleetSteps } from "./fleet-steps.ts";
import { callSample } from "../operations/sample-arguments.ts";
import { type Step, storeSteps } from "./store-steps.ts";
import { type Setup, world } from "./world.ts";

/** The outcome of each operation: `works`, or the name of its error. */
export type Outcomes = Record<string, string>;

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

/** The steps of the tables, in their order, and before them the samples of the operations without a step. */
function listSteps(): [string, Step][] {
  const steps: Record<string, Step> = { ...storeSteps, ...fleetSteps };
  const samples = operations
    .filter(({ id }) => steps[id] === undefined)
    .map((operation): [string, Step] => [
      operation.id,
      async (where) => {
        await callSample(where, operation);
      },
    ]);
  return [...samples, ...Object.entries(steps)];
}

/** Walks through all operations on one server. A step that is wrong throws. */
export async function walkAll(readings: ReadingsOption, setup: Partial<Setup>): Promise<Outcomes> {
  const place = world(readings, setup);
  const outcomes: Outcomes = {};
  for (const [operation, step] of listSteps()) {
    outcomes[operation] = await step(place).then(
      () => "works",
      (error: unknown) => {
        if (error instanceof ShelfleetError) return error.name;
        throw new Error(`${operation}: ${String(error)}`, { cause: error });
      },
    );
  }
  return outcomes;
}

/** The lists of which the contract shows only the path. gap lists.undocumented */
const undocumented = operationsOf("fleet")
  .filter(({ gaps }) => gaps.includes("lists.undocumented"))
  .map(({ id }) => id);

/** The outcomes that the stances promise: everything works, except operations that depend on an unknown reading. */
export function expectedOutcomes(readings: ReadingsOption, isConfigured: boolean): Outcomes {
  const outcomes = Object.fromEntries(
    [...Object.keys(storeOperations), ...Object.keys(fleetOperations)].map((id) => [id, "works"]),
  );
  const shape = readings["photos.page-shape"] ?? "items-nextCursor";
  const walkable = isConfigured ? shape !== "no-list" : shape === "items-nextCursor";
  if (!walkable || readings["photos.cursor-source"] === "photo-id") {
    outcomes.listPhotos = "UnexpectedResponseError";
  }
  if (readings["templates.get-one"] === "absent") outcomes.getInspectionTemplate = "FleetApiError";
  if (isConfigured) return outcomes;
  if (readings["lists.undocumented"] === "whole") {
    for (const id of undocumented) outcomes[id] = "UnexpectedResponseError";
  }
  if (readings["fleet.version-header"] === "required") {
    for (const id of Object.keys(fleetOperations)) outcomes[id] = "FleetApiError";
  }
  return outcomes;
}
