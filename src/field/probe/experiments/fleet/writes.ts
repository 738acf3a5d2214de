import { pathSegment } from "../../../../wire/path-segment.ts";
import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type Control, experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import { type ExperimentTools, hintOf } from "../../experiment-tools.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { idsIn, totalOf } from "./data.ts";

/** @throws {Missing} if the run may not write to the sandbox */
export function sandboxOf({ sandboxWrites }: ExperimentTools): Sandbox {
  if (sandboxWrites === undefined) throw new Missing("a key of the sandbox");
  return sandboxWrites;
}

function vehicle(tools: ExperimentTools): JsonObject {
  const vin = tools.uuid().replaceAll("-", "").slice(0, 17).toUpperCase();
  return { plateNumber: tools.marker, brand: "Probe", model: "Probe", vin, type: "TRACTOR_UNIT" };
}

/** Creates a vehicle, once in a round. */
function ownVehicle(tools: ExperimentTools): Promise<CreatedResource> {
  return tools.once("vehicle", () => sandboxOf(tools).create("/vehicles", vehicle(tools)));
}

/** Creates a row in the first list that accepts the body, which no other row has. gap fleet.repeated-post */
async function createResource(tools: ExperimentTools): Promise<CreatedResource> {
  const sandbox = sandboxOf(tools);
  try {
    return await sandbox.create("/vehicle-groups", { name: `${tools.marker}-${tools.uuid().slice(0, 4)}` });
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return sandbox.create("/vehicles", vehicle(tools));
  }
}

/** The responses for a resource after its DELETE, and for a second DELETE. */
interface Deletion {
  /** A resource of the same kind that was not deleted, read by its path. */
  readonly twin: Exchange;
  readonly kept: CreatedResource;
  readonly deleted: Exchange;
  readonly after: Exchange;
  readonly again: Exchange;
  /** The list shows both resources before the DELETE, and only the kept one after it. */
  readonly isApplied: Control;
}

/** Returns the IDs of the last page of a list, where the newest rows are. `limit`: not used before, for a cache. */
async function newestIds({ service }: Sandbox, list: string, limit: number): Promise<string[]> {
  const page = await service.get(list, { limit: String(limit) }, { fresh: true });
  const pages = Math.ceil(totalOf(page) / limit);
  if (pages < 2) return idsIn(rowsOf(page));
  const last = await service.get(list, { limit: String(limit), page: String(pages) }, { fresh: true });
  return [...idsIn(rowsOf(page)), ...idsIn(rowsOf(last))];
}

/**
 * Deletes a resource, once in a round. It is read for the first time after its DELETE, so that no cache knows it;
 * another resource shows that what was created can be read.
 */
function deletion(tools: ExperimentTools): Promise<Deletion> {
  return tools.once("deletion", async () => {
    const sandbox = sandboxOf(tools);
    const kept = await createResource(tools);
    const created = await createResource(tools);
    const limit = 100 - 2 * tools.round;
    const listed = await newestIds(sandbox, created.list, limit);
    const deleted = await sandbox.delete(created);
    if (!isOk(deleted)) throw new Missing("a resource that can be deleted");
    const left = await newestIds(sandbox, created.list, limit - 1);
    const after = await sandbox.service.get(created.path, {}, { fresh: true });
    const again = await sandbox.delete(created);
    const twin = await sandbox.service.get(kept.path, {}, { fresh: true });
    const [keptId, id] = [kept, created].map(({ exchange }) => String(dataOf(exchange).id));
    const isApplied = control(
      "the DELETE removes the resource, and nothing else, from its list",
      isIn(listed, id, keptId) && isIn(left, keptId) && !isIn(left, id),
    );
    return { twin, kept, deleted, after, again, isApplied };
  });
}

function isIn(ids: readonly string[], ...wanted: (string | undefined)[]): boolean {
  return wanted.every((id) => id !== undefined && ids.includes(id));
}

const DELETABLE = "a resource that can be created and deleted in the sandbox";

export const createStatus = experiment({
  gap: "fleet.create-status",
  cost: 0.5,
  after: ["fleet.second-delete", "fleet.put"],
  needs: DELETABLE,
  assumes: "All POSTs succeed with the same status.",
  observe: async function* observe(tools) {
    const { twin, kept } = await deletion(tools);
    const { status, path } = kept.exchange;
    const reason = `POST ${path} succeeded with status ${status}.`;
    yield observation(kept.path, status, reason, [succeeds(twin)], twin, kept.exchange);
  },
  readings: { created: (status) => status === 201, ok: (status) => status === 200 },
});

export const deleteResponse = experiment({
  gap: "fleet.delete-response",
  cost: 0.5,
  after: ["fleet.second-delete", "fleet.put"],
  needs: DELETABLE,
  assumes: "All DELETEs succeed in the same way.",
  observe: async function* observe(tools) {
    const { twin, deleted, isApplied } = await deletion(tools);
    const { path, status } = deleted;
    const isEmpty = deleted.text.trim() === "";
    const reason = `A DELETE succeeded with status ${status} and ${isEmpty ? "no body" : "a body"}.`;
    yield observation(path, { isEmpty, status }, reason, [isApplied, succeeds(twin)], twin, deleted);
  },
  readings: {
    envelope: ({ isEmpty, status }) => !isEmpty && status === 200,
    "no-content": ({ isEmpty, status }) => isEmpty && status === 204,
  },
});

export const secondDelete = experiment({
  gap: "fleet.second-delete",
  cost: 0.5,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "All resources are deleted in the same way.",
  observe: async function* observe(tools) {
    const { twin, deleted, again, isApplied } = await deletion(tools);
    const reason = `A second DELETE of the same resource: status ${again.status}.`;
    const controls = [isApplied, succeeds(twin), isAnswer(again)] as const;
    yield observation(again.path, again.status, reason, controls, twin, deleted, again);
  },
  readings: {
    "not-found": (status) => status === 404,
    repeatable: (status) => status >= 200 && status < 300,
  },
});

export const deletedResources = experiment({
  gap: "fleet.deleted-resources",
  // the same requests also decide four other gaps
  cost: 1.6,
  needs: DELETABLE,
  assumes: "No cache responds for a resource that was never read.",
  observe: async function* observe(tools) {
    const { twin, deleted, after, isApplied } = await deletion(tools);
    const reason = `A resource after its DELETE: status ${after.status}.`;
    const controls = [isApplied, succeeds(twin), isAnswer(after)] as const;
    yield observation(after.path, after.status, reason, controls, twin, deleted, after);
  },
  readings: { gone: (status) => status === 404, readable: (status) => status === 200 },
});

export const putMeaning = experiment({
  gap: "fleet.put",
  cost: 2,
  needs: "a vehicle that can be created in the sandbox and shows what was sent",
  assumes: "All resources are changed in the same way.",
  observe: async function* observe(tools) {
    const sandbox = sandboxOf(tools);
    const created = await ownVehicle(tools);
    const before = created.exchange;
    const plateNumber = `${tools.marker}-2`;
    const put = await sandbox.change("PUT", created, { plateNumber });
    const after = await sandbox.service.get(created.path, {}, { fresh: true });
    const { brand, model, plateNumber: plate } = dataOf(after);
    const keptProperties = [brand, model].filter((value) => value === "Probe").length;
    const reason = `A PUT of one property kept ${keptProperties} of two others.`;
    const isSet = control(
      "the POST sets the properties",
      dataOf(before).brand === "Probe" && dataOf(before).model === "Probe",
    );
    const isChanged = control("the PUT changes the property", isOk(put) && plate === plateNumber);
    yield observation(
      created.path,
      keptProperties,
      reason,
      [isSet, isChanged, succeeds(after)],
      before,
      put,
      after,
    );
  },
  readings: {
    replace: (keptProperties) => keptProperties === 0,
    merge: (keptProperties) => keptProperties === 2,
  },
});

/** Returns a template from the response, or otherwise from the list. */
async function templateIn(
  sandbox: Sandbox,
  created: CreatedResource,
  exchange: Exchange,
): Promise<JsonObject> {
  const data = dataOf(exchange);
  if (typeof data.version === "number") return data;
  const query = { limit: "100", isActive: "false" };
  const list = await sandbox.service.get("/inspection-templates", query, { fresh: true });
  return rowsOf(list).find(({ id }) => created.path.endsWith(`/${pathSegment(String(id))}`)) ?? {};
}

const CHANGED = "Changed by a probe";

export const versionAfterPut = experiment({
  gap: "templates.version-after-put",
  cost: 4,
  needs: "a template that can be created and changed in the sandbox",
  assumes: "No other client changes the template.",
  observe: async function* observe(tools) {
    const sandbox = sandboxOf(tools);
    const body = { title: tools.marker, description: "Made by a probe", isActive: false, items: [] };
    const created = await sandbox.create("/inspection-templates", body);
    const first = await templateIn(sandbox, created, created.exchange);
    const same = await sandbox.change("PUT", created, body);
    const second = isOk(same) ? await templateIn(sandbox, created, same) : {};
    const other = await sandbox.change("PUT", created, { ...body, description: CHANGED });
    const third = isOk(other) ? await templateIn(sandbox, created, other) : {};
    const [before, between, after] = [first, second, third].map(({ version }) => version);
    if (typeof before !== "number" || typeof between !== "number" || typeof after !== "number")
      throw new Missing("a template that shows its version after a PUT");
    const observed = { bySame: between - before, byOther: after - between };
    const reason = `An equal PUT raised a template's version by ${observed.bySame}, another one by ${observed.byOther}.`;
    const isChanged = control("the version is that of the changed template", third.description === CHANGED);
    const controls = [isChanged, succeeds(same), succeeds(other)] as const;
    yield observation(created.path, observed, reason, controls, created.exchange, same, other);
  },
  readings: {
    stays: ({ bySame, byOther }) => bySame === 0 && byOther === 0,
    "each-put": ({ bySame, byOther }) => bySame === 1 && byOther === 1,
    "changes-only": ({ bySame, byOther }) => bySame === 0 && byOther === 1,
  },
});

export const repeatedPost = experiment({
  gap: "fleet.repeated-post",
  cost: 1,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "All POSTs that are repeated are treated like the one that was repeated.",
  observe: async function* observe(tools) {
    const { twin, kept } = await deletion(tools);
    const { exchange, path } = await sandboxOf(tools).post(kept.list, kept.body);
    const observed = {
      status: exchange.status,
      isNew: path !== undefined && path !== kept.path,
      isSame: path === kept.path,
    };
    const outcome = observed.isSame ? ", the same resource" : observed.isNew ? ", another resource" : "";
    const reason = `The same POST again: status ${exchange.status}${outcome}.`;
    yield observation(
      kept.path,
      observed,
      reason,
      [succeeds(twin), isAnswer(exchange)],
      kept.exchange,
      exchange,
    );
  },
  readings: {
    "two-resources": ({ isNew }) => isNew,
    "first-returned": ({ isSame }) => isSame,
    rejected: ({ status }) => status === 400,
  },
});

const KEEPING = "a vehicle of the sandbox whose update keeps what it leaves out";

export const nullProperties = experiment({
  gap: "fleet.null-properties",
  cost: 1,
  after: ["fleet.put"],
  needs: KEEPING,
  assumes: "All updates that keep what is left out treat null in the same way.",
  observe: async function* observe(tools) {
    if (hintOf(tools, "fleet.put") === "replace") throw new Missing(KEEPING);
    const sandbox = sandboxOf(tools);
    const created = await ownVehicle(tools);
    const before = created.exchange;
    const sent = `${tools.marker}-3`;
    const put = await sandbox.change("PUT", created, { plateNumber: sent, vin: null });
    const after = await sandbox.service.get(created.path, {}, { fresh: true });
    const { vin, brand, plateNumber } = dataOf(after);
    const observed = { isNull: vin === null, isAbsent: vin === undefined };
    const reason = `After an update with null the property is ${vin === null ? "null" : "not null"}.`;
    const isSet = control("the POST sets the property", typeof dataOf(before).vin === "string");
    const isKept = control("the update keeps what it leaves out", brand === "Probe" && plateNumber === sent);
    const controls = [isSet, isKept, succeeds(put), succeeds(after)] as const;
    yield observation(created.path, observed, reason, controls, before, after, put);
  },
  readings: { stored: ({ isNull }) => isNull, removed: ({ isAbsent }) => isAbsent },
});
