import { isNotFound, requireSingle, statusOf } from "./clients.ts";
import { type Failures, MirrorError, RowError } from "./errors.ts";
import type { MirrorPass, Progress } from "./mirror-state.ts";
import type { UnseenEntry } from "./sink.ts";
import { type Limits, runEach } from "./tasks.ts";

/** An entry that can be asked for. */
type Asked = Pick<UnseenEntry, "id" | "ref">;

/** What a deletion needs to know about its run. */
export interface DeletionContext {
  /** Reads an entry, and returns its ID; undefined if that is not possible. */
  readonly readId: ((ref: string) => PromiseLike<string | undefined>) | undefined;
  /** Some of the entries that the list has. */
  readonly present: readonly Asked[];
  readonly failures: Failures;
  /** The last pass of the run. */
  readonly pass: MirrorPass;
  readonly maxDeleted: number;
  readonly limits: Limits;
}

/** What a service says about an entry, or why it could not be asked. */
type Answer = "exists" | "missing" | "unknown" | RowError;

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
  const { pass, failures } = context;
  const { finishedBefore } = progress;
  const { finished, last } = progress.state;
  requireShare(progress.label, await progress.countUnseen(pass.first), context);
  const counts = { deleted: 0, kept: 0, doubtful: 0 };
  let rows = await progress.findUnseen("");
  if (rows.length === 0) return counts;
  // a 404 is not believed, and nothing more is asked, if `get` does not find entries that the list has: the service may not have
  // this operation, or the secret may not call it
  const witnesses = context.present.filter(({ ref }) => ref !== null).slice(-maxWitnesses);
  let isBelieved = await findsOne(witnesses, context);
  const isAsked = isBelieved || witnesses.length === 0;
  const wasMissedTwice = (row: UnseenEntry): boolean => finished === last && row.pass < finishedBefore;
  const isGone = (row: UnseenEntry, answer: Answer | undefined): boolean =>
    (answer === "missing" && isBelieved) ||
    ((answer === "missing" || answer === "unknown") && wasMissedTwice(row));
  for (; rows.length > 0; rows = await progress.findUnseen(rows.at(-1)?.id ?? "")) {
    const answers = await runEach(rows, context.limits, async (row) =>
      isAsked ? ask(row, context) : "unknown",
    );
    isBelieved ||= answers.includes("exists");
    for (const answer of answers) if (answer instanceof RowError) failures.add(answer);
    const deleted = rows.filter((row, index) => isGone(row, answers[index])).map(({ id }) => id);
    await progress.save({ deleted });
    counts.deleted += deleted.length;
    counts.kept += rows.length - deleted.length;
    counts.doubtful += rows.filter(
      (row, index) => row.pass >= pass.first && answers[index] !== "exists",
    ).length;
  }
  return counts;
}

/** Entries that are new do not make up for those that are missing: another tenant's list may be as long. */
function requireShare(label: string, unseen: number, { pass: { saved }, maxDeleted }: DeletionContext): void {
  if (unseen <= (maxDeleted === 0 ? 0 : Math.max(1, maxDeleted * saved))) return;
  throw new MirrorError(
    `${label}: the list lacks ${unseen} of ${saved} saved entries, more than \`maxDeleted\` allows: nothing was deleted`,
  );
}

/** Whether `get` finds one of some entries. */
async function findsOne(entries: readonly Asked[], context: DeletionContext): Promise<boolean> {
  for (const entry of entries) if ((await ask(entry, context)) === "exists") return true;
  return false;
}

async function ask({ id, ref }: Asked, { readId, limits }: DeletionContext): Promise<Answer> {
  if (readId === undefined || ref === null) return "unknown";
  try {
    const found = await readId(ref);
    // another store may have the external ID now
    return found === undefined || found === id ? "exists" : "unknown";
  } catch (error) {
    if (isNotFound(error)) return "missing";
    if (isRefused(statusOf(error))) return "unknown";
    requireSingle(error, limits.signal);
    return new RowError(id, "get", error);
  }
}
