import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { Lab } from "../../lab.ts";
import type { Made, Sandbox } from "../../sandbox.ts";

/** @throws {Missing} if the run may not write to the sandbox */
export function sandboxOf({ sandboxWrites }: Lab): Sandbox {
  if (sandboxWrites === undefined) throw new Missing("a key of the sandbox");
  return sandboxWrites;
}

function vehicle(lab: Lab): JsonObject {
  const vin = lab.uuid().replaceAll("-", "").slice(0, 17).toUpperCase();
  return { plateNumber: lab.marker, brand: "Probe", model: "Probe", vin, type: "TRACTOR_UNIT" };
}

/** Creates a row in the first list that accepts the body. */
async function make(lab: Lab): Promise<Made> {
  const sandbox = sandboxOf(lab);
  try {
    return await sandbox.create("/vehicle-groups", { name: lab.marker });
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return sandbox.create("/vehicles", vehicle(lab));
  }
}

export const createStatus = experiment({
  gap: "fleet.create-status",
  consent: "write",
  cost: 2,
  after: ["fleet.second-delete", "fleet.put"],
  needs: "a resource that can be created in the sandbox",
  notice: (exchange) => {
    if (exchange.api !== "fleet" || exchange.method !== "POST" || !isOk(exchange)) return undefined;
    const { n, status } = exchange;
    return {
      ...sighting(status, `POST ${exchange.path} succeeded with status ${status}.`, exchange),
      source: `${n}`,
    };
  },
  observe: async function* observe(lab) {
    for (let count = 0; count < 2; count += 1) {
      await make(lab);
      yield undefined;
    }
  },
  readings: { created: (status) => status === 201, ok: (status) => status === 200 },
});

export const deleteAnswer = experiment({
  gap: "fleet.delete-answer",
  consent: "write",
  cost: 2,
  after: ["fleet.second-delete", "fleet.put"],
  needs: "a resource that can be created and deleted in the sandbox",
  notice: (exchange) => {
    if (exchange.api !== "fleet" || exchange.method !== "DELETE" || !isOk(exchange)) return undefined;
    const isEmpty = exchange.text.trim() === "";
    const because = `A DELETE succeeded with status ${exchange.status} and ${isEmpty ? "no body" : "a body"}.`;
    const seen = { isEmpty, status: exchange.status };
    return { ...sighting(seen, because, exchange), source: `${exchange.n}` };
  },
  observe: async function* observe(lab) {
    for (let count = 0; count < 2; count += 1) {
      await sandboxOf(lab).delete(await make(lab));
      yield undefined;
    }
  },
  readings: {
    envelope: ({ isEmpty, status }) => !isEmpty && status === 200,
    "no-content": ({ isEmpty, status }) => isEmpty && status === 204,
  },
});

/** The responses for a resource before and after its DELETE, and for a second DELETE. */
interface Deletion {
  readonly before: Exchange;
  readonly deleted: Exchange;
  readonly after: Exchange;
  readonly again: Exchange;
}

const deletions = new WeakMap<Sandbox, Deletion>();

/** The resources that experiments created and no longer need. */
const spare = new WeakMap<Sandbox, Made>();

/** Deletes a resource, once for all experiments of a run. */
async function deletion(lab: Lab): Promise<Deletion> {
  const sandbox = sandboxOf(lab);
  const known = deletions.get(sandbox) ?? (await sendDeletion(lab, sandbox));
  deletions.set(sandbox, known);
  return known;
}

async function sendDeletion(lab: Lab, sandbox: Sandbox): Promise<Deletion> {
  const made = spare.get(sandbox) ?? (await make(lab));
  spare.delete(sandbox);
  const before = await sandbox.service.get(made.path);
  if (!isOk(before)) throw new Missing("a resource that can be read after it was created");
  const deleted = await sandbox.delete(made);
  if (!isOk(deleted)) throw new Missing("a resource that can be deleted");
  const after = await sandbox.service.get(made.path, {}, { fresh: true });
  return { before, deleted, after, again: await sandbox.delete(made) };
}

export const secondDelete = experiment({
  gap: "fleet.second-delete",
  consent: "write",
  cost: 0.5,
  after: ["fleet.deleted-resources"],
  needs: "a resource that can be created and deleted in the sandbox",
  observe: async function* observe(lab) {
    const { deleted, again } = await deletion(lab);
    yield proof(
      again.status,
      `A second DELETE of the same resource: status ${again.status}.`,
      deleted,
      again,
    );
  },
  readings: {
    "not-found": (status) => status === 404,
    repeatable: (status) => status >= 200 && status < 300,
  },
});

export const deletedResources = experiment({
  gap: "fleet.deleted-resources",
  consent: "write",
  cost: 2,
  after: ["fleet.put"],
  needs: "a resource that can be created and deleted in the sandbox",
  observe: async function* observe(lab) {
    const { before, deleted, after } = await deletion(lab);
    yield proof(after.status, `A resource after its DELETE: status ${after.status}.`, before, deleted, after);
  },
  readings: { gone: (status) => status === 404, readable: (status) => status === 200 },
});

export const putMeaning = experiment({
  gap: "fleet.put",
  consent: "write",
  cost: 2,
  needs: "a vehicle that can be created in the sandbox and shows what was sent",
  observe: async function* observe(lab) {
    const sandbox = sandboxOf(lab);
    const made = await sandbox.create("/vehicles", vehicle(lab));
    const before =
      dataOf(made.exchange).brand === "Probe" ? made.exchange : await sandbox.service.get(made.path);
    if (dataOf(before).brand !== "Probe") throw new Missing("a vehicle that shows what was sent");
    const plateNumber = `${lab.marker}-2`;
    const put = await sandbox.change("PUT", made, { plateNumber });
    if (!isOk(put)) throw new Missing("a PUT of a part of a vehicle that is not refused");
    const after = await sandbox.service.get(made.path, {}, { fresh: true });
    const { brand, model, plateNumber: plate } = dataOf(after);
    const kept = [brand, model].filter((value) => value === "Probe").length;
    const seen = { isChanged: isOk(after) && plate === plateNumber, kept };
    spare.set(sandbox, made);
    yield proof(seen, `A PUT of one property kept ${kept} of two others.`, before, put, after);
  },
  readings: {
    replace: ({ isChanged, kept }) => isChanged && kept === 0,
    merge: ({ isChanged, kept }) => isChanged && kept === 2,
  },
});

/** Returns the version of a template from the response, or otherwise from the list. */
async function versionOf(sandbox: Sandbox, made: Made, exchange: Exchange): Promise<number | undefined> {
  const { version } = dataOf(exchange);
  if (typeof version === "number") return version;
  const query = { limit: "100", isActive: "false" };
  const list = await sandbox.service.get("/inspection-templates", query, { fresh: true });
  const row = rowsOf(list).find(({ id }) => made.path.endsWith(`/${encodeURIComponent(String(id))}`));
  return typeof row?.version === "number" ? row.version : undefined;
}

export const versionAfterPut = experiment({
  gap: "templates.version-after-put",
  consent: "write",
  cost: 4,
  needs: "a template that can be created and changed in the sandbox",
  observe: async function* observe(lab) {
    const sandbox = sandboxOf(lab);
    const body = { title: lab.marker, description: "Made by a probe", isActive: false, items: [] };
    const made = await sandbox.create("/inspection-templates", body);
    const first = await versionOf(sandbox, made, made.exchange);
    const same = await sandbox.change("PUT", made, body);
    const second = isOk(same) ? await versionOf(sandbox, made, same) : undefined;
    const other = await sandbox.change("PUT", made, { ...body, description: "Changed by a probe" });
    const third = isOk(other) ? await versionOf(sandbox, made, other) : undefined;
    if (first === undefined || second === undefined || third === undefined)
      throw new Missing("a template that shows its version after a PUT");
    const seen = { bySame: second - first, byOther: third - second };
    const because = `An equal PUT raised a template's version by ${seen.bySame}, another one by ${seen.byOther}.`;
    yield proof(seen, because, made.exchange, same, other);
  },
  readings: {
    stays: ({ bySame, byOther }) => bySame === 0 && byOther === 0,
    "each-put": ({ bySame, byOther }) => bySame === 1 && byOther === 1,
    "changes-only": ({ bySame, byOther }) => bySame === 0 && byOther === 1,
  },
});
