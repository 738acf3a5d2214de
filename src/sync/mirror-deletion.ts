import { concernOf, isNotFound, type SyncList, statusOf } from "./clients.ts";
import { type Failures, MirrorError } from "./errors.ts";
import type { Progress } from "./mirror-state.ts";
import type { UnseenEntry } from "./sink.ts";
import { runEach } from "./tasks.ts";

/** What a deletion needs to know about its run. */
export interface DeletionContext {
  readonly label: string;
  readonly list: SyncList<unknown>;
  /** Reads an entry; undefined if that is not possible. */
  readonly get: ((ref: string) => PromiseLike<unknown>) | undefined;
  /** Some of the entries that the list has. */
  readonly present: readonly Pick<UnseenEntry, "id" | "ref">[];
  readonly failures: Failures;
  /** The number of entries that were saved before the run and that the list has. */
  readonly known: number;
  /** The number of the first pass of the run. */
  readonly first: number;
  /** The number of the last pass of the last finished run before this one. */
  readonly finishedBefore: number;
  readonly maxDeleted: number;
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What a service says about an entry. */
type Answer = "exists" | "missing" | "unknown";

/**
 * Whether the 404 of `get` is believed. It is if `get` has found another entry in this run. It is not if `get` does not find
 * entries that the list has: the service may not have this operation, or the secret may not call it.
 */
type Trust = "believed" | "open" | "refused";

/** The number of entries that are read to find out whether `get` can be believed. */
const maxWitnesses = 3;

/** Statuses of an operation that the service does not have, or that the secret may not call. */
const isRefused = (status: number | undefined): boolean => [403, 404, 405, 410, 501].includes(status ?? 0);

/**
 * Deletes the entries that the list lacks and that the service does not have any more.
 * @returns also the number of entries that only an earlier pass of the run has seen, and that may not exist any more
 * @throws {MirrorError} if there are more of them than `maxDeleted` allows
 */
export async function deleteMissing(
  progress: Progress<never, never>,
  context: DeletionContext,
): Promise<{ deleted: number; kept: number; doubtful: number }> {
  const unseen = await progress.countUnseen();
  requireShare(await progress.countUnseen(context.first), context);
  const counts = { deleted: 0, kept: 0, doubtful: 0 };
  if (unseen === 0) return counts;
  let trust = await findTrust(context);
  for (let after = "", rest = unseen; rest > 0; ) {
    const rows = await progress.findUnseen(after);
    if (rows.length === 0) break;
    const { concurrency, signal } = context;
    const answers = await runEach(rows, { concurrency, signal }, (row) => askFor(row, trust, context));
    if (answers.includes("exists")) trust = "believed";
    const { finished, last } = progress.state;
    const wasMissedTwice = ({ pass }: UnseenEntry): boolean =>
      finished === last && pass < context.finishedBefore;
    const isGone = (row: UnseenEntry, index: number): boolean => {
      if (answers[index] === "missing" && trust === "believed") return true;
      return answers[index] !== "exists" && answers[index] !== "failed" && wasMissedTwice(row);
    };
    const deleted = rows.filter(isGone).map(({ id }) => id);
    await progress.save({ deleted });
    counts.deleted += deleted.length;
    counts.kept += rows.length - deleted.length;
    const isDoubtful = ({ pass }: UnseenEntry, index: number): boolean =>
      pass >= context.first && answers[index] !== "exists";
    counts.doubtful += rows.filter(isDoubtful).length;
    after = rows.at(-1)?.id ?? "";
    rest -= rows.length;
  }
  return counts;
}

/** Entries that are new do not make up for those that are missing: another tenant's list may be as long. */
function requireShare(unseen: number, { label, known, maxDeleted }: DeletionContext): void {
  const all = known + unseen;
  if (unseen <= (maxDeleted === 0 ? 0 : Math.max(1, maxDeleted * all))) return;
  throw new MirrorError(
    `${label}: the list lacks ${unseen} of ${all} saved entries, more than \`maxDeleted\` allows: nothing was deleted`,
  );
}

/** Reads some of the entries that the list has. */
async function findTrust(context: DeletionContext): Promise<Trust> {
  const witnesses = context.present.filter(({ ref }) => ref !== null).slice(-maxWitnesses);
  for (const witness of witnesses) {
    const answer = await ask(witness, context).catch((error: unknown) => {
      context.signal?.throwIfAborted();
      if (concernOf(error) !== "one") throw error;
      return "unknown";
    });
    if (answer !== "missing") return answer === "exists" ? "believed" : "refused";
  }
  return witnesses.length === 0 ? "open" : "refused";
}

/** Asks for an entry that the list lacks. A failure is noted, and the entry is kept. */
async function askFor(row: UnseenEntry, trust: Trust, context: DeletionContext): Promise<Answer | "failed"> {
  if (trust === "refused") return "unknown";
  try {
    return await ask(row, context);
  } catch (error) {
    context.signal?.throwIfAborted();
    if (concernOf(error) !== "one") throw error;
    context.failures.add(row.id, "get", error);
    return "failed";
  }
}

async function ask(
  { id, ref }: Pick<UnseenEntry, "id" | "ref">,
  { get, list }: DeletionContext,
): Promise<Answer> {
  if (get === undefined || ref === null) return "unknown";
  try {
    const found = list.idOf(await get(ref));
    // another store may have the external ID now
    return found === undefined || found === id ? "exists" : "unknown";
  } catch (error) {
    if (isNotFound(error)) return "missing";
    if (isRefused(statusOf(error))) return "unknown";
    throw error;
  }
}
