import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { Lab } from "../../lab.ts";
import type { Made, Sandbox } from "../../sandbox.ts";
import { sandboxOf } from "./writes.ts";

const MERGE_PATCH = "application/merge-patch+json";

const assignments = new WeakMap<Sandbox, Made>();

/** Creates a driver assignment with the properties of an existing one, once for all experiments of a run. */
async function assignment(lab: Lab): Promise<Made> {
  const sandbox = sandboxOf(lab);
  const known = assignments.get(sandbox) ?? (await makeAssignment(lab, sandbox));
  assignments.set(sandbox, known);
  return known;
}

async function makeAssignment(lab: Lab, sandbox: Sandbox): Promise<Made> {
  const [row] = rowsOf(await sandbox.service.get("/driver-assignments", { limit: "1" }));
  const { id: _, ...properties } = row ?? {};
  return sandbox.create("/driver-assignments", { ...properties, notes: lab.marker });
}

/** Sends a PATCH as `application/json`, and with the other media type if that is rejected. */
async function patchEither(
  lab: Lab,
  body: JsonObject,
): Promise<{ json: Exchange; merge: Exchange | undefined }> {
  const made = await assignment(lab);
  const json = await sandboxOf(lab).change("PATCH", made, body);
  const merge = isOk(json) ? undefined : await sandboxOf(lab).change("PATCH", made, body, MERGE_PATCH);
  return { json, merge };
}

const ASSIGNMENT = "a driver assignment that can be created in the sandbox and takes a PATCH";

export const patchContentType = experiment({
  gap: "fleet.patch-content-type",
  consent: "write",
  cost: 2,
  needs: ASSIGNMENT,
  observe: async function* observe(lab) {
    const { json, merge } = await patchEither(lab, { notes: `${lab.marker}-2` });
    const seen = { json: isOk(json), merge: merge !== undefined && isOk(merge) };
    if (!seen.json && !seen.merge) throw new Missing(ASSIGNMENT);
    const because = `A PATCH as application/json: status ${json.status}${merge ? `, as ${MERGE_PATCH}: status ${merge.status}` : ""}.`;
    yield proof(seen, because, json, ...(merge ? [merge] : []));
  },
  readings: { json: ({ json }) => json, "merge-patch": ({ json, merge }) => !json && merge },
});

export const patchShape = experiment({
  gap: "fleet.patch",
  consent: "write",
  cost: 1,
  after: ["fleet.patch-content-type"],
  needs: ASSIGNMENT,
  observe: async function* observe(lab) {
    const { body } = await assignment(lab);
    const parts = Object.entries(body).filter(([, value]) => typeof value === "string");
    for (const [name, value] of parts.toReversed().slice(0, 2)) {
      const { json, merge } = await patchEither(lab, { [name]: value });
      const isTaken = isOk(json) || (merge !== undefined && isOk(merge));
      const isRefused = json.status === 400 && merge?.status === 400;
      const because = `A PATCH with a part of the POST body ${isTaken ? "was taken" : `had status ${json.status}`}.`;
      const evidence = merge === undefined ? [json] : [json, merge];
      yield { ...sighting({ isTaken, isRefused }, because, ...evidence), source: name };
    }
    throw new Missing("a driver assignment with two text properties");
  },
  readings: { partial: ({ isTaken }) => isTaken, "own-shape": ({ isRefused }) => isRefused },
});
