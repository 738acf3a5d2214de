/**
 * Generates histories and lists, and prints the first one that breaks a rule, shrunk. `npm run test:world`, with `SEED`,
 * `RUNS`, `LISTS`, `REPLAY` and `SHRINK` of the environment.
 */
import * as fc from "fast-check";
import { type History, histories } from "./history.ts";
import { type ListCase, listCases } from "./list-history.ts";
import { walkList } from "./list-walks.ts";
import { runHistory } from "./world.ts";

/** What is checked: its generator, its run, and the words about it. */
interface Subject<T> {
  readonly name: "history" | "list";
  readonly cases: fc.Arbitrary<T>;
  readonly run: (value: T) => Promise<void>;
  readonly describe: (value: T) => readonly string[];
}

/** Returns the report of a history that breaks a rule; undefined if all rules held. */
export async function checkHistories(options: NodeJS.ProcessEnv): Promise<string | undefined> {
  // loaded before the time of a history: an import takes none
  await Promise.all([
    import("../../generated/store.schemas.ts"),
    import("../../generated/fleet.schemas.ts"),
    import("../../src/client/store/contract-check.ts"),
    import("../../src/client/fleet/contract-check.ts"),
    import("../../src/client/lists/range.ts"),
  ]);
  const subject: Subject<History> = { name: "history", cases: histories, run: runHistory, describe };
  return check(subject, Number(options["RUNS"] ?? 2000), options);
}

/** Returns the report of a list that breaks a rule; undefined if all rules held. */
export async function checkLists(options: NodeJS.ProcessEnv): Promise<string | undefined> {
  const show = (list: ListCase): string[] => [JSON.stringify(list)];
  const subject: Subject<ListCase> = { name: "list", cases: listCases, run: walkList, describe: show };
  return check(subject, Number(options["LISTS"] ?? 4000), options);
}

async function check<T>(
  { name, cases, run, describe: show }: Subject<T>,
  numRuns: number,
  { SEED, REPLAY, SHRINK }: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const seed = SEED === undefined ? Date.now() % 1_000_000_000 : Number(SEED);
  const place = { ...(REPLAY !== undefined && { path: REPLAY }), endOnFailure: SHRINK === "0" };
  const result = await fc.check(fc.asyncProperty(cases, run), { seed, numRuns, ...place });
  if (!result.failed) return undefined;
  const [value] = result.counterexample ?? [];
  const error = result.errorInstance as Error & { trace?: readonly string[] }; // of this folder
  const number = `${name} ${result.numRuns} (SEED=${seed}; only this one: REPLAY=${result.counterexamplePath})`;
  const lines = [`A rule is broken in ${number}:`, String(error), ...(value ? show(value) : [])];
  return [...lines, ...(error.trace ?? []), String(error.stack)].join("\n");
}

/** A history on a few lines. */
function describe({ programs, events, ...world }: History): string[] {
  const steps = programs.flatMap((all, index) =>
    all.map((step, place) => `  program ${index + 1}.${place + 1} ${JSON.stringify(step)}`),
  );
  const lines = events.map(({ after, what }) => `  after ${after} requests ${JSON.stringify(what)}`);
  return [JSON.stringify(world), ...steps, ...lines];
}

if (import.meta.main) {
  const failure = (await checkLists(process.env)) ?? (await checkHistories(process.env));
  console.log(failure ?? "all rules held");
  process.exitCode = failure === undefined ? 0 : 1;
}
