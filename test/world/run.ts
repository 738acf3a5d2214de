/**
 * Generates histories, and prints the first one that breaks a rule, shrunk. `npm run test:world`, with `SEED`, `RUNS`,
 * `REPLAY` and `SHRINK` of the environment.
 */
import * as fc from "fast-check";
import { type History, histories } from "./history.ts";
import { runHistory } from "./world.ts";

/** Returns the report of a failure; undefined if all rules held. */
export async function checkHistories(options: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { SEED, RUNS = "2000", REPLAY, SHRINK } = options;
  // loaded before the time of a history: an import takes none
  await Promise.all([
    import("../../generated/store.schemas.ts"),
    import("../../generated/fleet.schemas.ts"),
    import("../../src/client/store/contract-check.ts"),
    import("../../src/client/fleet/contract-check.ts"),
    import("../../src/client/lists/range.ts"),
  ]);
  const seed = SEED === undefined ? Date.now() % 1_000_000_000 : Number(SEED);
  const place = { ...(REPLAY !== undefined && { path: REPLAY }), endOnFailure: SHRINK === "0" };
  const property = fc.asyncProperty(histories, runHistory);
  const result = await fc.check(property, { seed, numRuns: Number(RUNS), ...place });
  if (!result.failed) return undefined;
  const [history] = result.counterexample ?? [];
  const error = result.errorInstance as Error & { trace?: readonly string[] }; // of `runHistory`
  const number = `history ${result.numRuns} (SEED=${seed} RUNS=${RUNS}; only this one: REPLAY=${result.counterexamplePath})`;
  const lines = [`A rule is broken in ${number}:`, String(error), ...(history ? describe(history) : [])];
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
  const failure = await checkHistories(process.env);
  console.log(failure ?? "all rules held");
  process.exitCode = failure === undefined ? 0 : 1;
}
