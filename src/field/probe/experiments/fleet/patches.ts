import { control, isAnswer } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { sandboxOf } from "./writes.ts";

const MERGE_PATCH = "application/merge-patch+json";

/** Creates a driver assignment with the properties of an existing one, once in a round. */
function assignment(tools: ExperimentTools): Promise<CreatedResource> {
  return tools.once("assignment", () => createAssignment(tools, sandboxOf(tools)));
}

async function createAssignment(tools: ExperimentTools, sandbox: Sandbox): Promise<CreatedResource> {
  const [row] = rowsOf(await sandbox.service.get("/driver-assignments", { limit: "1" }));
  const { id: _, ...properties } = row ?? {};
  return sandbox.create("/driver-assignments", { ...properties, notes: tools.marker });
}

/** Sends a PATCH as `application/json`, and with the other media type if that is rejected. */
async function patchEither(
  tools: ExperimentTools,
  body: JsonObject,
): Promise<{ json: Exchange; merge: Exchange | undefined }> {
  const created = await assignment(tools);
  const json = await sandboxOf(tools).change("PATCH", created, body);
  const merge = isOk(json) ? undefined : await sandboxOf(tools).change("PATCH", created, body, MERGE_PATCH);
  return { json, merge };
}

const ASSIGNMENT = "a driver assignment that can be created in the sandbox and takes a PATCH";

export const patchContentType = experiment({
  gap: "fleet.patch-content-type",
  cost: 2,
  needs: ASSIGNMENT,
  assumes: "A PATCH that the service does not understand does not succeed.",
  observe: async function* observe(tools) {
    const { path } = await assignment(tools);
    const { json, merge } = await patchEither(tools, { notes: `${tools.marker}-2` });
    const after = await sandboxOf(tools).service.get(path, {}, { fresh: true });
    const observed = { json: isOk(json), merge: merge !== undefined && isOk(merge) };
    if (!observed.json && !observed.merge) throw new Missing(ASSIGNMENT);
    const reason = `A PATCH as application/json: status ${json.status}${merge ? `, as ${MERGE_PATCH}: status ${merge.status}` : ""}.`;
    const isNew = isOk(after) && dataOf(after).notes === `${tools.marker}-2`;
    const isChanged = control("the assignment has the new value", isNew);
    yield observation(path, observed, reason, [isChanged], ...(merge ? [merge] : []), after, json);
  },
  readings: { json: ({ json }) => json, "merge-patch": ({ json, merge }) => !json && merge },
});

export const patchShape = experiment({
  gap: "fleet.patch",
  cost: 1,
  after: ["fleet.patch-content-type"],
  needs: ASSIGNMENT,
  assumes: "Two properties show which parts of the POST body a PATCH takes.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const { body, path } = await assignment(tools);
    const parts = Object.entries(body).filter(([, value]) => typeof value === "string");
    for (const [name, value] of parts.toReversed().slice(0, 2)) {
      const { json, merge } = await patchEither(tools, { [name]: value });
      const isTaken = isOk(json) || (merge !== undefined && isOk(merge));
      // a PATCH with the present value does not show whether it is applied
      if (isTaken) tools.premise("fleet.patch-content-type");
      const isRefused = json.status === 400 && merge?.status === 400;
      const reason = `A PATCH with a part of the POST body ${isTaken ? "was taken" : `had status ${json.status}`}.`;
      const after = await sandboxOf(tools).service.get(path, {}, { fresh: true });
      const isThere = control("the assignment is still there", isOk(after));
      const evidence = merge === undefined ? [json] : [merge, json];
      yield observation(name, { isTaken, isRefused }, reason, [isThere, isAnswer(json)], ...evidence);
    }
    throw new Missing("a driver assignment with two text properties");
  },
  readings: { partial: ({ isTaken }) => isTaken, "own-shape": ({ isRefused }) => isRefused },
});
