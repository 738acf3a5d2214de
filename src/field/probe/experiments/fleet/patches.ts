import { FLEET_PATHS } from "../../../routes.ts";
import { control, isAnswer } from "../../controls.ts";
import { dataOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { sandboxOf } from "./writes.ts";

const MERGE_PATCH = "application/merge-patch+json";

/** Creates a driver assignment with the properties of an existing one, once in a round. */
function assignment(tools: ExperimentTools): Promise<CreatedResource> {
  return tools.once("assignment", () => createAssignment(tools, sandboxOf(tools)));
}

async function createAssignment(tools: ExperimentTools, sandbox: Sandbox): Promise<CreatedResource> {
  const [row] = rowsOf(await sandbox.service.get(FLEET_PATHS.driverAssignments, { limit: "1" }));
  const { id: _, ...properties } = row ?? {};
  return sandbox.create(FLEET_PATHS.driverAssignments, { ...properties, notes: tools.marker });
}

/**
 * Sends a PATCH as `application/json`, and with the other media type if that is rejected; reads the assignment
 * afterwards.
 */
async function patchEither(tools: ExperimentTools, body: JsonObject) {
  const sandbox = sandboxOf(tools);
  const created = await assignment(tools);
  const json = await sandbox.change("PATCH", created, body);
  const merge = isOk(json) ? undefined : await sandbox.change("PATCH", created, body, MERGE_PATCH);
  const after = await sandbox.service.get(created.path, {}, { fresh: true });
  return { json, merge, after, isTaken: isOk(merge ?? json) };
}

/** Changes the notes, once in a round. */
function patchNotes(tools: ExperimentTools): ReturnType<typeof patchEither> {
  return tools.once("notes", () => patchEither(tools, { notes: changedNotes(tools) }));
}

function changedNotes({ marker }: ExperimentTools): string {
  return `${marker}-2`;
}

const ASSIGNMENT = "a driver assignment that can be created in the sandbox and takes a PATCH";

export const patchContentType = experiment({
  gap: "fleet.patch-content-type",
  // the same requests also decide fleet.patch
  cost: 2.5,
  chance: 0.7,
  needs: ASSIGNMENT,
  assumes: "A PATCH that the service does not understand does not succeed.",
  observe: async function* observe(tools) {
    const { path } = await assignment(tools);
    const { json, merge, after, isTaken } = await patchNotes(tools);
    if (!isTaken) throw new Missing(ASSIGNMENT);
    const reason = `A PATCH as application/json: status ${json.status}${merge ? `, as ${MERGE_PATCH}: status ${merge.status}` : ""}.`;
    const isNew = isOk(after) && dataOf(after).notes === changedNotes(tools);
    const isChanged = control("the assignment has the new value", isNew, after);
    const evidence = [...(merge ? [merge] : []), after, json];
    yield observation(path, merge === undefined ? "json" : "merge-patch", reason, [isChanged], ...evidence);
  },
  readings: { json: "json", "merge-patch": "merge-patch" },
});

export const patchShape = experiment({
  gap: "fleet.patch",
  cost: 0.5,
  after: ["fleet.patch-content-type"],
  needs: ASSIGNMENT,
  assumes: "Two properties show which parts of the POST body a PATCH takes.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const { body } = await assignment(tools);
    const others = Object.keys(body).filter((name) => name !== "notes" && typeof body[name] === "string");
    for (const name of ["notes", ...others.slice(-1)]) {
      const isNotes = name === "notes";
      const { json, merge, after, isTaken } = await (isNotes
        ? patchNotes(tools)
        : patchEither(tools, { [name]: body[name] }));
      // a PATCH with the present value does not show whether it is applied
      if (isTaken) tools.premise("fleet.patch-content-type");
      const isRefused = json.status === 400 && merge?.status === 400;
      const reason = `A PATCH with a part of the POST body ${isTaken ? "was taken" : `had status ${json.status}`}.`;
      // a POST may ignore a property
      const isThere = control(
        "the assignment still has the property of the POST",
        isOk(after) && (isTaken || dataOf(after)[name] === body[name]),
      );
      const evidence = merge === undefined ? [json] : [merge, json];
      yield observation(name, { isTaken, isRefused }, reason, [isThere, isAnswer(json)], ...evidence);
    }
    throw new Missing("a driver assignment with two text properties");
  },
  readings: { partial: { isTaken: true }, "own-shape": { isRefused: true } },
});
