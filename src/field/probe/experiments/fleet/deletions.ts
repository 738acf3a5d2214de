import { maxLimit } from "../../../routes.ts";
import { type Control, control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openParts } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { TEMPLATES, idsIn, totalOf } from "./data.ts";
import {
  ASSIGNMENTS,
  DAMAGES,
  GROUPS,
  INSPECTIONS,
  VEHICLES,
  createResource,
  idOf,
  sandboxOf,
} from "./resources.ts";

/** The lists with a POST and a DELETE. */
const KINDS: readonly string[] = [VEHICLES, GROUPS, TEMPLATES, ASSIGNMENTS, DAMAGES, INSPECTIONS];

/** The responses for a resource that is created twice, and deleted twice. */
interface Deletion {
  /** The first resource, which was deleted. */
  readonly created: CreatedResource;
  /** The POST that was sent again. */
  readonly repeated: Awaited<ReturnType<Sandbox["post"]>>;
  /** A later resource of the same kind that was not deleted, read by its path; a template, by its list. */
  readonly twin: Exchange;
  readonly deleted: Exchange;
  readonly after: Exchange;
  readonly again: Exchange;
  /** The DELETE removes the first resource, and nothing else, from the list. */
  readonly isApplied: Control;
}

/** Returns the IDs of the last page of a list, where the newest rows are. `limit`: not used before, for a cache. */
async function newestIds({ service }: Sandbox, list: string, limit: number): Promise<string[]> {
  const query = { limit: String(limit), ...filterOf(list) };
  const page = await service.get(list, query, { fresh: true });
  const pages = Math.ceil(totalOf(page) / limit);
  if (pages < 2) return idsIn(rowsOf(page));
  const last = await service.get(list, { ...query, page: String(pages) }, { fresh: true });
  return [...idsIn(rowsOf(page)), ...idsIn(rowsOf(last))];
}

/**
 * Creates two resources of a list and deletes the first one, once in a round. It is read for the first time after its
 * DELETE, so that no cache knows it. The later one shows that what was created can be listed and read, in two requests one
 * after the other, so that servers that do not share their data fail.
 */
function deletion(tools: ExperimentTools, list: string): Promise<Deletion> {
  return tools.once(`deletion in ${list}`, async () => {
    const sandbox = sandboxOf(tools);
    const created = await createResource(tools, list);
    const { path, body } = created;
    const repeated = await sandbox.post(list, body);
    const { path: other, exchange } = repeated;
    const isOther = other !== undefined && other !== path;
    const kept = isOther ? { list, path: other, body, exchange } : await createResource(tools, list);
    // other experiments change it
    await tools.once(list, async () => kept);
    const limit = maxLimit(list) - 2 * tools.round;
    const ids = [created, kept].map(idOf);
    // the first round asks as little as possible
    const listed = tools.round === 1 ? ids : await newestIds(sandbox, list, limit);
    const deleted = await sandbox.delete(created);
    if (!isOk(deleted)) throw new Missing("a resource that can be deleted");
    const left = await newestIds(sandbox, list, limit - 1);
    // gap templates.get-one
    const isListed = list === TEMPLATES;
    const twin = await sandbox.service.get(isListed ? list : kept.path, filterOf(list), { fresh: true });
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

function isIn(ids: readonly string[], ...wanted: (string | undefined)[]): boolean {
  return wanted.every((id) => id !== undefined && ids.includes(id));
}

/** gap templates.inactive: templates of a run are inactive. */
function filterOf(list: string): Record<string, string> {
  return list === TEMPLATES ? { isActive: "false" } : {};
}

/** Yields a deletion in the first list that accepts its body, and in later rounds in each list. */
async function* deletions(tools: ExperimentTools, lists = KINDS): AsyncGenerator<Deletion, void> {
  // the first round asks as little as possible
  if (tools.round > 1) for (const list of openParts(tools, lists)) yield deletion(tools, list);
  else
    yield deletion(tools, VEHICLES).catch((error: unknown) => {
      if (!(error instanceof Missing)) throw error;
      return deletion(tools, GROUPS);
    });
}

/** Observes the deletions of a round. */
function ofDeletion<Observed>(read: (deletion: Deletion) => ExperimentResult<Observed>) {
  return async function* observe(tools: ExperimentTools): AsyncGenerator<ExperimentResult<Observed>, void> {
    for await (const made of deletions(tools)) yield read(made);
  };
}

const DELETABLE = "resources of each list that can be created and deleted in the sandbox";

export const createStatus = experiment({
  gap: "fleet.create-status",
  cost: 0.2,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "All POSTs to a list succeed with the same status.",
  parts: KINDS,
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
  assumes: "All DELETEs of a list succeed in the same way.",
  parts: KINDS,
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
  assumes: "All resources of a list are deleted in the same way.",
  parts: KINDS,
  observe: ofDeletion(({ twin, again, isApplied, created: { list } }) => {
    const reason = `A second DELETE of the same resource: status ${again.status}.`;
    return observation(list, again.status, reason, [isApplied, succeeds(twin), isAnswer(again)]);
  }),
  readings: { "not-found": 404, repeatable: (status: number) => status >= 200 && status < 300 },
});

/** The lists whose resources have a path to read them. */
const READABLE = KINDS.filter((list) => list !== TEMPLATES);

export const deletedResources = experiment({
  gap: "fleet.deleted-resources",
  // the same requests also decide five other gaps
  cost: 1.4,
  needs: DELETABLE,
  assumes: "No cache responds for a resource that was never read.",
  parts: READABLE,
  observe: async function* observe(tools) {
    for await (const { created, twin, after, isApplied } of deletions(tools, READABLE)) {
      // the experiments that need no effect of the DELETE wait for the end of this one
      if (tools.round === 1 && !isApplied.holds) return;
      const isReadable = isOk(after) && isIn(idsIn([dataOf(after)]), idOf(created));
      const reason = `A resource after its DELETE: status ${after.status}${isReadable ? ", with its ID" : ""}.`;
      const observed = { status: after.status, isReadable };
      yield observation(created.list, observed, reason, [isApplied, succeeds(twin), isAnswer(after)]);
    }
  },
  readings: { gone: { status: 404 }, readable: { isReadable: true } },
});

export const repeatedPost = experiment({
  gap: "fleet.repeated-post",
  cost: 0.2,
  after: ["fleet.deleted-resources"],
  needs: DELETABLE,
  assumes: "All repeated POSTs to a list are treated in the same way.",
  parts: KINDS,
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
