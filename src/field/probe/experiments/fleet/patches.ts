import { control, isAnswer } from "../../controls.ts";
import { dataOf, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { type ExperimentTools, unseenFirst } from "../../experiment-tools.ts";
import { ASSIGNMENTS, INSPECTIONS, ownResource, sandboxOf } from "./resources.ts";

const MERGE_PATCH = "application/merge-patch+json";

/**
 * Sends a PATCH as `application/json`, and with the other media type if that is rejected; reads the resource
 * afterwards.
 */
async function patchEither(tools: ExperimentTools, list: string, body: JsonObject) {
  const sandbox = sandboxOf(tools);
  const created = await ownResource(tools, list);
  const json = await sandbox.change("PATCH", created, body);
  const merge = isOk(json) ? undefined : await sandbox.change("PATCH", created, body, MERGE_PATCH);
  const after = await sandbox.service.get(created.path, {}, { fresh: true });
  return { json, merge, after, isTaken: isOk(merge ?? json) };
}

/** Changes the notes, once in a round. */
function patchNotes(tools: ExperimentTools, list: string): ReturnType<typeof patchEither> {
  return tools.once(`notes of ${list}`, () => patchEither(tools, list, { notes: changedNotes(tools) }));
}

function changedNotes({ marker }: ExperimentTools): string {
  return `${marker}-2`;
}

const PATCHED = [ASSIGNMENTS, INSPECTIONS] as const;

/** Returns driver assignments, and in later rounds also inspections. The first round asks as little as possible. */
function patchedLists(tools: ExperimentTools): readonly string[] {
  return tools.round === 1 ? PATCHED.slice(0, 1) : unseenFirst(tools, PATCHED);
}

const PATCHABLE = "driver assignments and inspections that can be created in the sandbox and take a PATCH";

export const patchContentType = experiment({
  gap: "fleet.patch-content-type",
  // the same requests also decide fleet.patch
  cost: 2.5,
  chance: 0.7,
  needs: PATCHABLE,
  assumes: "A PATCH that the service does not understand does not succeed.",
  parts: PATCHED,
  observe: async function* observe(tools) {
    for (const list of patchedLists(tools)) {
      const { json, merge, after, isTaken } = await patchNotes(tools, list);
      if (!isTaken) throw new Missing(PATCHABLE);
      const reason = `A PATCH as application/json: status ${json.status}${merge ? `, as ${MERGE_PATCH}: status ${merge.status}` : ""}.`;
      const isNew = isOk(after) && dataOf(after).notes === changedNotes(tools);
      const isChanged = control("the resource has the new value", isNew, after);
      const evidence = [...(merge ? [merge] : []), after, json];
      yield observation(list, merge === undefined ? "json" : "merge-patch", reason, [isChanged], ...evidence);
    }
  },
  readings: { json: "json", "merge-patch": "merge-patch" },
});

/** A part of the question: a second property of driver assignments. */
const ANOTHER = "another property";

export const patchShape = experiment({
  gap: "fleet.patch",
  cost: 0.5,
  after: ["fleet.patch-content-type"],
  needs: PATCHABLE,
  assumes: "Two properties show which parts of the POST body a PATCH takes.",
  parts: [ASSIGNMENTS, ANOTHER, INSPECTIONS],
  observe: async function* observe(tools) {
    for (const part of unseenFirst(tools, [ASSIGNMENTS, ANOTHER, INSPECTIONS])) {
      const isOther = part === ANOTHER;
      const list = isOther ? ASSIGNMENTS : part;
      if (tools.round === 1 && list !== ASSIGNMENTS) break;
      const { body } = await ownResource(tools, list);
      const others = Object.keys(body).filter((name) => name !== "notes" && typeof body[name] === "string");
      const name = isOther ? others.at(-1) : "notes";
      if (name === undefined) continue;
      const patched = isOther ? patchEither(tools, list, { [name]: body[name] }) : patchNotes(tools, list);
      const { json, merge, after, isTaken } = await patched;
      // a PATCH with the present value does not show whether it is applied
      if (isTaken) tools.premise("fleet.patch-content-type");
      const isRefused = json.status === 400 && merge?.status === 400;
      const reason = `A PATCH with a part of the POST body ${isTaken ? "was taken" : `had status ${json.status}`}.`;
      // a POST may ignore a property
      const isThere = control(
        "the resource still has the property of the POST",
        isOk(after) && (isTaken || dataOf(after)[name] === body[name]),
      );
      const evidence = merge === undefined ? [json] : [merge, json];
      yield observation(part, { isTaken, isRefused }, reason, [isThere, isAnswer(json)], ...evidence);
    }
    throw new Missing("driver assignments with two text properties, and inspections, that take a PATCH");
  },
  readings: { partial: { isTaken: true }, "own-shape": { isRefused: true } },
});
