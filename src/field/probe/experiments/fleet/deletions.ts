import { FLEET_PATHS, maxLimit } from "../../../routes.ts";
import { type Control, control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { idsIn, totalOf } from "./data.ts";
import { VEHICLES, sandboxOf, vehicle } from "./writes.ts";

const GROUPS = FLEET_PATHS.vehicleGroups;

/**
 * Creates a row in the first list that accepts the body, which no other row has: gap fleet.repeated-post. The rounds begin
 * with different lists.
 */
async function createResource(tools: ExperimentTools): Promise<CreatedResource> {
  const sandbox = sandboxOf(tools);
  const create = (list: string): Promise<CreatedResource> =>
    sandbox.create(
      list,
      list === VEHICLES ? vehicle(tools) : { name: `${tools.marker}-${tools.uuid().slice(0, 4)}` },
    );
  const [first, second] = tools.round % 2 === 1 ? [VEHICLES, GROUPS] : [GROUPS, VEHICLES];
  try {
    return await create(first);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return create(second);
  }
}

/** The responses for a resource that is created twice, and deleted twice. */
interface Deletion {
  /** The first resource, which was deleted. */
  readonly created: CreatedResource;
  /** The POST that was sent again. */
  readonly repeated: Awaited<ReturnType<Sandbox["post"]>>;
  /** A later resource of the same kind that was not deleted, read by its path. */
  readonly twin: Exchange;
  readonly deleted: Exchange;
  readonly after: Exchange;
  readonly again: Exchange;
  /** The DELETE removes the first resource, and nothing else, from the list. */
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
 * Creates two resources and deletes the first one, once in a round. It is read for the first time after its DELETE, so that
 * no cache knows it. The later one shows that what was created can be listed and read, in two requests one after the other,
 * so that servers that do not share their data fail.
 */
function deletion(tools: ExperimentTools): Promise<Deletion> {
  return tools.once("deletion", async () => {
    const sandbox = sandboxOf(tools);
    const created = await createResource(tools);
    const { list, path, body } = created;
    const repeated = await sandbox.post(list, body);
    const { path: other, exchange } = repeated;
    const isOther = other !== undefined && other !== path;
    const kept = isOther ? { list, path: other, body, exchange } : await createResource(tools);
    // fleet.put changes it
    if (list === VEHICLES) await tools.once("vehicle", async () => kept);
    const limit = maxLimit(list) - 2 * tools.round;
    const ids = [created, kept].map(idOf);
    // the first round asks as little as possible
    const listed = tools.round === 1 ? ids : await newestIds(sandbox, list, limit);
    const deleted = await sandbox.delete(created);
    if (!isOk(deleted)) throw new Missing("a resource that can be deleted");
    const left = await newestIds(sandbox, list, limit - 1);
    const twin = await sandbox.service.get(kept.path, {}, { fresh: true });
    const after = await sandbox.service.get(path, {}, { fresh: true });
    const again = await sandbox.delete(created);
    const [id, keptId] = ids;
    const isApplied = control(
      "the DELETE removes the resource, and nothing else, from its list",
      isIn(listed, id, keptId) && isIn(left, keptId) && !isIn(left, id),
      deleted,
    );
    return { created, repeated, twin, deleted, after, again, isApplied };
  });
}

function idOf({ list, path }: CreatedResource): string {
  return decodeURIComponent(path.slice(list.length + 1));
}

function isIn(ids: readonly string[], ...wanted: (string | undefined)[]): boolean {
  return wanted.every((id) => id !== undefined && ids.includes(id));
}

/** Observes the deletion of a round. */
function ofDeletion<Observed>(read: (deletion: Deletion) => ExperimentResult<Observed>) {
  return async function* observe(tools: ExperimentTools): AsyncGenerator<ExperimentResult<Observed>, void> {
    yield read(await deletion(tools));
  };
}

const DELETABLE = "a resource that can be created and deleted in the sandbox";

export const createStatus = experiment({
  gap: "fleet.create-status",
  cost: 0.2,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "The POSTs of two resources succeed with the status of all.",
  everyEntity: true,
  observe: ofDeletion(({ twin, created: { list, exchange } }) => {
    const reason = `POST ${exchange.path} succeeded with status ${exchange.status}.`;
    return observation(list, exchange.status, reason, [succeeds(twin)], twin, exchange);
  }),
  readings: { created: 201, ok: 200 },
});

export const deleteResponse = experiment({
  gap: "fleet.delete-response",
  cost: 0.2,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "The DELETEs of two resources succeed like all.",
  everyEntity: true,
  observe: ofDeletion(({ twin, deleted, isApplied, created: { list } }) => {
    const { status, text } = deleted;
    const isEmpty = text.trim() === "";
    const reason = `A DELETE succeeded with status ${status} and ${isEmpty ? "no body" : "a body"}.`;
    return observation(list, { isEmpty, status }, reason, [succeeds(twin), isApplied]);
  }),
  readings: { envelope: { isEmpty: false, status: 200 }, "no-content": { isEmpty: true, status: 204 } },
});

export const secondDelete = experiment({
  gap: "fleet.second-delete",
  cost: 0.2,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "Two resources are deleted like all.",
  everyEntity: true,
  observe: ofDeletion(({ twin, again, isApplied, created: { list } }) => {
    const reason = `A second DELETE of the same resource: status ${again.status}.`;
    return observation(list, again.status, reason, [isApplied, succeeds(twin), isAnswer(again)]);
  }),
  readings: { "not-found": 404, repeatable: (status: number) => status >= 200 && status < 300 },
});

export const deletedResources = experiment({
  gap: "fleet.deleted-resources",
  // the same requests also decide five other gaps
  cost: 1.4,
  needs: DELETABLE,
  assumes: "No cache responds for a resource that was never read, and two resources are deleted like all.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const { created, twin, after, isApplied } = await deletion(tools);
    // the experiments that need no effect of the DELETE wait for the end of this one
    if (tools.round === 1 && !isApplied.holds) return;
    const isReadable = isOk(after) && isIn(idsIn([dataOf(after)]), idOf(created));
    const reason = `A resource after its DELETE: status ${after.status}${isReadable ? ", with its ID" : ""}.`;
    const observed = { status: after.status, isReadable };
    yield observation(created.list, observed, reason, [isApplied, succeeds(twin), isAnswer(after)]);
  },
  readings: { gone: { status: 404 }, readable: { isReadable: true } },
});

export const repeatedPost = experiment({
  gap: "fleet.repeated-post",
  cost: 0.2,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "All POSTs that are repeated are treated like those of two resources.",
  everyEntity: true,
  // the DELETE after the two POSTs shows that the first resource was still there
  observe: ofDeletion(({ twin, created, deleted, repeated: { exchange, path } }) => {
    const { status } = exchange;
    const which = path === undefined ? "none" : path === created.path ? "the same" : "another";
    const reason = `The same POST again: status ${status}, ${which === "none" ? "no" : which} resource.`;
    const controls = [succeeds(twin), succeeds(deleted), isAnswer(exchange)] as const;
    const observed = { status, created: which };
    return observation(created.list, observed, reason, controls, created.exchange, exchange);
  }),
  readings: {
    "two-resources": { created: "another" },
    "first-returned": { created: "the same" },
    rejected: { status: 400 },
  },
});
