/**
 * `npm run test:explore -- --bound N --feature NAME`: runs the features through all histories within the bound, prints
 * how many there were, and shrinks and prints the first one that breaks each rule. `--wide` takes pairs of departures
 * with all data of a feature. `--samples N --seed S` runs that
 * many random ones of each feature instead. `--mutants N --seed S` looks for changes of the clients (mutants.ts);
 * `--missed LOG` tries those again that a run with this output did not find. `--record FILE` writes the digests of
 * random histories, and `--recorded FILE` shows the histories that have become others.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rows } from "../rows.ts";
import { type RowCounts } from "../rules.ts";
import { addCounts, type Explored, type Extent } from "./explore.ts";
import { features } from "./features.ts";
import { findProblem, histories as recorded, readDigests, record, runNumber } from "./recorded.ts";
import { describeViolation, toTable } from "./report.ts";
import type { Task } from "./worker.ts";

const { values } = parseArgs({
  options: {
    bound: { type: "string", default: "1" },
    wide: { type: "boolean", default: false },
    feature: { type: "string", default: "" },
    samples: { type: "string" },
    mutants: { type: "string" },
    missed: { type: "string" },
    recorded: { type: "string" },
    record: { type: "string" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: String(Math.min(4, availableParallelism())) },
  },
});

/** Runs the tasks in several processes. */
async function runTasks(tasks: Task[]): Promise<Explored[]> {
  const results: Explored[] = [];
  const work = (worker: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      const next = (): void => {
        const task = tasks.shift();
        if (task !== undefined) return void worker.send(task);
        worker.disconnect();
        resolve();
      };
      worker.on("message", (explored: Explored) => {
        results.push(explored);
        const { feature, histories, seconds, findings } = explored;
        console.error(
          `${feature}: ${histories} histories in ${seconds.toFixed(1)} s, ${findings.size} findings`,
        );
        next();
      });
      worker.on("error", reject);
      worker.on("exit", (code) => {
        if (code !== 0) reject(new Error(`A process ended with ${code}`));
      });
      next();
    });
  const file = fileURLToPath(new URL("worker.ts", import.meta.url));
  // a larger young generation: histories leave much behind
  const start = (): ChildProcess =>
    fork(file, { serialization: "advanced", execArgv: ["--max-semi-space-size=64"] });
  await Promise.all(Array.from({ length: Number(values.workers) }, () => work(start())));
  return results;
}

function printFeature(name: string, explored: readonly Explored[]): void {
  const sum = (part: "histories" | "pruned" | "states" | "seconds"): number =>
    explored.reduce((total, one) => total + one[part], 0);
  const columns = [sum("histories"), sum("pruned"), sum("states"), sum("seconds").toFixed(1)];
  console.log(`| ${name} | ${columns.join(" | ")} |`);
}

/** Rows whose assumption never held, or never failed. */
function findUnexercised(counts: RowCounts): string[] {
  return Object.keys(rows).flatMap((id) => {
    const { held = 0, failed = 0 } = counts[id] ?? {};
    return held > 0 && failed > 0 ? [] : [`${id} held ${held} times and failed ${failed} times`];
  });
}

/** Shows the first histories that are not as recorded; run it again without the change to see what was recorded. */
async function compareRecorded(file: string): Promise<number> {
  const digests = readDigests(file);
  let differing = 0;
  for (const number of recorded.keys()) {
    const { scenario, result } = await runNumber(number, false);
    const problem = findProblem(number, result, digests);
    if (problem === undefined) continue;
    differing += 1;
    if (differing < 4)
      console.log(`${problem.text}\n${toTable(scenario, result.exchanges)}\n${result.trace.join("\n")}`);
  }
  console.log(`${recorded.length} histories, ${differing} are not as recorded`);
  return Math.min(1, differing);
}

async function main(): Promise<number> {
  if (values.mutants !== undefined) {
    const { findMutants } = await import("./mutants.ts");
    const { mutants, seed, workers, missed: log } = values;
    return findMutants(Number(mutants), { seed: Number(seed), workers: Number(workers), log });
  }
  if (values.record !== undefined) return record(values.record).then(() => 0);
  if (values.recorded !== undefined) return compareRecorded(values.recorded);
  const names = Object.keys(features).filter((name) => name.includes(values.feature));
  const extent: Extent = {
    bound: Number(values.bound),
    isWide: values.wide,
    seed: Number(values.seed),
    ...(values.samples === undefined ? {} : { samples: Number(values.samples) }),
  };
  const tasks = names.flatMap((feature) =>
    (features[feature]?.data ?? []).map((_, data) => ({ feature, data, extent })),
  );
  const start = performance.now();
  const explored = await runTasks([...tasks]);
  console.log("| feature | histories | pruned | states | seconds of processor time |\n|---|---|---|---|---|");
  for (const name of names)
    printFeature(
      name,
      explored.filter(({ feature }) => feature === name),
    );
  printFeature("all", explored);
  const counts: RowCounts = {};
  for (const one of explored) addCounts(counts, one.counts);
  console.log(`\n| row | assumption held | failed |\n|---|---|---|`);
  for (const id of Object.keys(rows))
    console.log(`| ${id} | ${counts[id]?.held ?? 0} | ${counts[id]?.failed ?? 0} |`);
  console.log(`\n${((performance.now() - start) / 1000).toFixed(0)} s`);
  let failures = 0;
  for (const { feature, findings } of explored)
    for (const { violation, scenario, times } of findings.values()) {
      failures += 1;
      console.log(`\n${feature}, ${times} histories: ${await describeViolation(scenario, violation)}`);
    }
  const unexercised = values.feature === "" ? findUnexercised(counts) : [];
  if (unexercised.length > 0) console.log(`\nnot exercised: ${unexercised.join(", ")}`);
  return failures + unexercised.length === 0 ? 0 : 1;
}

process.exitCode = await main();
