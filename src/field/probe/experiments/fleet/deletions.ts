import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type Control, experiment, observation } from "../../experiment.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { idsIn, totalOf } from "./data.ts";
import { sandboxOf, vehicle } from "./writes.ts";

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
  cost: 0.2,
  after: ["fleet.deleted-resources"],
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
  cost: 0.2,
  after: ["fleet.deleted-resources"],
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
  cost: 0.2,
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
  cost: 1.8,
  needs: DELETABLE,
  assumes: "No cache responds for a resource that was never read.",
  observe: async function* observe(tools) {
    const { twin, deleted, after, isApplied } = await deletion(tools);
    // the experiments that need no effect of the DELETE wait for the end of this one
    if (tools.round === 1 && !isApplied.holds)
      throw new Missing("a resource that its DELETE removes from its list");
    const reason = `A resource after its DELETE: status ${after.status}.`;
    const controls = [isApplied, succeeds(twin), isAnswer(after)] as const;
    yield observation(after.path, after.status, reason, controls, twin, deleted, after);
  },
  readings: { gone: (status) => status === 404, readable: (status) => status === 200 },
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
