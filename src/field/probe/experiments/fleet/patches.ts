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

/** A PATCH of one property, and the assignment after it. */
interface Patched {
  readonly path: string;
  /** The PATCH as `application/json`, and with the other media type if that was rejected. */
  readonly json: Exchange;
  readonly merge: Exchange | undefined;
  readonly after: Exchange;
}

async function patchEither(tools: ExperimentTools, body: JsonObject): Promise<Patched> {
  const sandbox = sandboxOf(tools);
  const created = await assignment(tools);
  const json = await sandbox.change("PATCH", created, body);
  const merge = isOk(json) ? undefined : await sandbox.change("PATCH", created, body, MERGE_PATCH);
  const after = await sandbox.service.get(created.path, {}, { fresh: true });
  return { path: created.path, json, merge, after };
}

/** Changes the notes, once in a round. */
function patchNotes(tools: ExperimentTools): Promise<Patched> {
  return tools.once("notes", () => patchEither(tools, { notes: `${tools.marker}-2` }));
}

const ASSIGNMENT = "a driver assignment that can be created in the sandbox and takes a PATCH";

export const patchContentType = experiment({
  gap: "fleet.patch-content-type",
  cost: 2.5,
  chance: 0.7,
  needs: ASSIGNMENT,
  assumes: "A PATCH that the service does not understand does not succeed.",
  observe: async function* observe(tools) {
    const { path, json, merge, after } = await patchNotes(tools);
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
      const { json, merge, after } = await (isNotes
        ? patchNotes(tools)
        : patchEither(tools, { [name]: body[name] }));
      const isTaken = isOk(json) || (merge !== undefined && isOk(merge));
      // a PATCH with the present value does not show whether it is applied
      if (isTaken) tools.premise("fleet.patch-content-type");
      const isRefused = json.status === 400 && merge?.status === 400;
      const reason = `A PATCH with a part of the POST body ${isTaken ? "was taken" : `had status ${json.status}`}.`;
      const isThere = control("the assignment is still there", isOk(after));
      const evidence = merge === undefined ? [json] : [merge, json];
      yield observation(name, { isTaken, isRefused }, reason, [isThere, isAnswer(json)], ...evidence);
    }
    throw new Missing("a driver assignment with two text properties");
  },
  readings: { partial: ({ isTaken }) => isTaken, "own-shape": ({ isRefused }) => isRefused },
});
