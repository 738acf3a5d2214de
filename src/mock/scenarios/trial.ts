import { expectRows, type Finding, judgeRows } from "./judge/rows.ts";
import { judgeState } from "./judge/state.ts";
import { type Report, describeResult } from "./report.ts";
import { decideVerdict } from "./verdict.ts";
import { searchSecrets } from "./secret-search.ts";
import type { World } from "./world.ts";

export type { World } from "./world.ts";

/** The end of one run of a program. */
export interface RunResult {
  /** The message of the error; `undefined` if the run succeeded. */
  readonly failure: string | undefined;
  /** Whether the run was stopped because it took too long. */
  readonly isTimedOut: boolean;
  /** The output of the program, which must not contain a secret. */
  readonly output: readonly string[];
  /** The contents of the files that it has written, which must not either. */
  readonly files?: readonly string[];
}

/** Runs the program once. `index` counts the runs. */
export type Execute = (index: number) => Promise<RunResult>;

/** A way to run a program and to read the rows that it delivers. */
export interface Program {
  execute: Execute;
  /** Returns the delivered rows, one array for each delivery. */
  readRows(): Promise<readonly (readonly unknown[])[]>;
}

/** Runs a program in a world, as often as its scenario says, and judges the result. */
export async function runTrial(world: World, program: Program): Promise<Report> {
  const results = await runAll(world, program.execute);
  const { goal } = world.plan.task;
  const together = world.plan.runs.kind === "together";
  const failed = together ? results.find(({ failure }) => failure !== undefined) : results.at(-1);
  const rows = goal.kind === "copy" ? await program.readRows() : [];
  const findings = goal.kind === "copy" ? judgeCopy(world, rows) : judgeState(world.versions());
  const { isHung, isHammered, isReached } = world.record();
  const isTimedOut = results.some((result) => result.isTimedOut);
  const observed = {
    kind: goal.kind,
    isFailed: failed?.failure !== undefined,
    isHung: isHung || (isTimedOut && !world.isWaiting),
    isHammered,
    isReached,
    isPlain: world.plan.cause === "basics",
    leak: findLeak(world, results, rows),
    cannotDiffer: world.plan.cannotDiffer !== undefined,
    findings,
  };
  return describeResult(world, decideVerdict(observed), observed, failed?.failure);
}

function judgeCopy(world: World, rows: readonly (readonly unknown[])[]): Finding[] {
  const writes = world.writes().map((what): Finding => ({ kind: "wrong place", what }));
  return [...judgeRows(expectRows(...world.rows()), rows), ...writes];
}

async function runAll(world: World, execute: Execute): Promise<RunResult[]> {
  const { runs } = world.plan;
  if (runs.kind === "together") return Promise.all([execute(0), execute(1)]);
  const first = await execute(0);
  const isAgain =
    (runs.kind === "killed" && world.isKilled) ||
    (runs.kind === "again" && (runs.when === "always" || first.failure !== undefined));
  return isAgain ? [first, await execute(1)] : [first];
}

/** The number of characters that are searched for encoded secrets, which takes 0.7 s. */
const MAX_DECODED = 1_048_576;

/** Returns where the token or key was found, in any encoding or backwards, or the data of a write. */
function findLeak(world: World, results: readonly RunResult[], rows: unknown): string | undefined {
  const backwards = world.secrets.map((secret) => secret.split("").toReversed().join(""));
  const shows = searchSecrets([...world.secrets, ...backwards]);
  const has = (text: string) => {
    const isPlain = world.secrets.some((secret) => secret !== "" && text.includes(secret));
    return isPlain || shows(text.slice(0, MAX_DECODED));
  };
  if ([...world.elsewhere, ...world.bodiesElsewhere].some(has)) return "in a request to another host";
  if (
    has(world.requests.join("\n")) ||
    world.unknownTargets().some((target) => target.includes("[redacted]"))
  )
    return "in the URL or the body of a request";
  if (results.some(({ output, failure }) => output.some(has) || has(failure ?? "")))
    return "in what the program printed or reported";
  if (has(JSON.stringify(rows))) return "in a delivered row";
  if (results.some(({ files = [] }) => files.some(has))) return "in a file that the program wrote";
  return world.bodiesElsewhere.some((body) => body !== "")
    ? "as data in a request to another host"
    : undefined;
}
