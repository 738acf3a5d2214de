import { pathSegment } from "../../../../wire/path-segment.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";

/** @throws {Missing} if the run may not write to the sandbox */
export function sandboxOf({ sandboxWrites }: ExperimentTools): Sandbox {
  if (sandboxWrites === undefined) throw new Missing("a key of the sandbox");
  return sandboxWrites;
}

function vehicle(tools: ExperimentTools): JsonObject {
  const vin = tools.uuid().replaceAll("-", "").slice(0, 17).toUpperCase();
  return { plateNumber: tools.marker, brand: "Probe", model: "Probe", vin, type: "TRACTOR_UNIT" };
}

/** Creates a row in the first list that accepts the body. */
async function createResource(tools: ExperimentTools): Promise<CreatedResource> {
  const sandbox = sandboxOf(tools);
  try {
    return await sandbox.create("/vehicle-groups", { name: tools.marker });
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return sandbox.create("/vehicles", vehicle(tools));
  }
}

export const createStatus = experiment({
  gap: "fleet.create-status",
  consent: "write",
  cost: 2,
  after: ["fleet.second-delete", "fleet.put"],
  needs: "a resource that can be created in the sandbox",
  examine: (exchange) => {
    if (exchange.api !== "fleet" || exchange.method !== "POST" || !isOk(exchange)) return undefined;
    const { n, status } = exchange;
    return {
      ...tentativeResult(status, `POST ${exchange.path} succeeded with status ${status}.`, exchange),
      source: `${n}`,
    };
  },
  observe: async function* observe(tools) {
    for (let count = 0; count < 2; count += 1) {
      await createResource(tools);
      yield undefined;
    }
  },
  readings: { created: (status) => status === 201, ok: (status) => status === 200 },
});

export const deleteAnswer = experiment({
  gap: "fleet.delete-response",
  consent: "write",
  cost: 2,
  after: ["fleet.second-delete", "fleet.put"],
  needs: "a resource that can be created and deleted in the sandbox",
  examine: (exchange) => {
    if (exchange.api !== "fleet" || exchange.method !== "DELETE" || !isOk(exchange)) return undefined;
    const isEmpty = exchange.text.trim() === "";
    const reason = `A DELETE succeeded with status ${exchange.status} and ${isEmpty ? "no body" : "a body"}.`;
    const observed = { isEmpty, status: exchange.status };
    return { ...tentativeResult(observed, reason, exchange), source: `${exchange.n}` };
  },
  observe: async function* observe(tools) {
    for (let count = 0; count < 2; count += 1) {
      await sandboxOf(tools).delete(await createResource(tools));
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
const unusedResources = new WeakMap<Sandbox, CreatedResource>();

/** Deletes a resource, once for all experiments of a run. */
async function deletion(tools: ExperimentTools): Promise<Deletion> {
  const sandbox = sandboxOf(tools);
  const known = deletions.get(sandbox) ?? (await sendDeletion(tools, sandbox));
  deletions.set(sandbox, known);
  return known;
}

async function sendDeletion(tools: ExperimentTools, sandbox: Sandbox): Promise<Deletion> {
  const created = unusedResources.get(sandbox) ?? (await createResource(tools));
  unusedResources.delete(sandbox);
  const before = await sandbox.service.get(created.path);
  if (!isOk(before)) throw new Missing("a resource that can be read after it was created");
  const deleted = await sandbox.delete(created);
  if (!isOk(deleted)) throw new Missing("a resource that can be deleted");
  const after = await sandbox.service.get(created.path, {}, { fresh: true });
  return { before, deleted, after, again: await sandbox.delete(created) };
}

export const secondDelete = experiment({
  gap: "fleet.second-delete",
  consent: "write",
  cost: 0.5,
  after: ["fleet.deleted-resources"],
  needs: "a resource that can be created and deleted in the sandbox",
  observe: async function* observe(tools) {
    const { deleted, again } = await deletion(tools);
    yield conclusiveResult(
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
  observe: async function* observe(tools) {
    const { before, deleted, after } = await deletion(tools);
    yield conclusiveResult(
      after.status,
      `A resource after its DELETE: status ${after.status}.`,
      before,
      deleted,
      after,
    );
  },
  readings: { gone: (status) => status === 404, readable: (status) => status === 200 },
});

export const putMeaning = experiment({
  gap: "fleet.put",
  consent: "write",
  cost: 2,
  needs: "a vehicle that can be created in the sandbox and shows what was sent",
  observe: async function* observe(tools) {
    const sandbox = sandboxOf(tools);
    const created = await sandbox.create("/vehicles", vehicle(tools));
    const before =
      dataOf(created.exchange).brand === "Probe" ? created.exchange : await sandbox.service.get(created.path);
    if (dataOf(before).brand !== "Probe") throw new Missing("a vehicle that shows what was sent");
    const plateNumber = `${tools.marker}-2`;
    const put = await sandbox.change("PUT", created, { plateNumber });
    if (!isOk(put)) throw new Missing("a PUT of a part of a vehicle that is not refused");
    const after = await sandbox.service.get(created.path, {}, { fresh: true });
    const { brand, model, plateNumber: plate } = dataOf(after);
    const keptProperties = [brand, model].filter((value) => value === "Probe").length;
    const observed = { isChanged: isOk(after) && plate === plateNumber, keptProperties };
    unusedResources.set(sandbox, created);
    yield conclusiveResult(
      observed,
      `A PUT of one property kept ${keptProperties} of two others.`,
      before,
      put,
      after,
    );
  },
  readings: {
    replace: ({ isChanged, keptProperties }) => isChanged && keptProperties === 0,
    merge: ({ isChanged, keptProperties }) => isChanged && keptProperties === 2,
  },
});

/** Returns the version of a template from the response, or otherwise from the list. */
async function versionOf(
  sandbox: Sandbox,
  created: CreatedResource,
  exchange: Exchange,
): Promise<number | undefined> {
  const { version } = dataOf(exchange);
  if (typeof version === "number") return version;
  const query = { limit: "100", isActive: "false" };
  const list = await sandbox.service.get("/inspection-templates", query, { fresh: true });
  const row = rowsOf(list).find(({ id }) => created.path.endsWith(`/${pathSegment(String(id))}`));
  return typeof row?.version === "number" ? row.version : undefined;
}

export const versionAfterPut = experiment({
  gap: "templates.version-after-put",
  consent: "write",
  cost: 4,
  needs: "a template that can be created and changed in the sandbox",
  observe: async function* observe(tools) {
    const sandbox = sandboxOf(tools);
    const body = { title: tools.marker, description: "Made by a probe", isActive: false, items: [] };
    const created = await sandbox.create("/inspection-templates", body);
    const first = await versionOf(sandbox, created, created.exchange);
    const same = await sandbox.change("PUT", created, body);
    const second = isOk(same) ? await versionOf(sandbox, created, same) : undefined;
    const other = await sandbox.change("PUT", created, { ...body, description: "Changed by a probe" });
    const third = isOk(other) ? await versionOf(sandbox, created, other) : undefined;
    if (first === undefined || second === undefined || third === undefined)
      throw new Missing("a template that shows its version after a PUT");
    const observed = { bySame: second - first, byOther: third - second };
    const reason = `An equal PUT raised a template's version by ${observed.bySame}, another one by ${observed.byOther}.`;
    yield conclusiveResult(observed, reason, created.exchange, same, other);
  },
  readings: {
    stays: ({ bySame, byOther }) => bySame === 0 && byOther === 0,
    "each-put": ({ bySame, byOther }) => bySame === 1 && byOther === 1,
    "changes-only": ({ bySame, byOther }) => bySame === 0 && byOther === 1,
  },
});
