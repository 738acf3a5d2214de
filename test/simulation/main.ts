/**
 * `npm run test:simulation -- --histories N --seed S --seconds T`: runs histories one after the other, and shrinks and
 * prints the first that breaks a rule. `--keep-going` counts all of them, `--table` prints what was covered, and
 * `--trace` prints what happened. SIGINT and SIGTERM end the run with the counts so far.
 */
import { parseArgs } from "node:util";
import { generate } from "./generate.ts";
import { type HistoryResult, runHistory } from "./history.ts";
import type { Scenario } from "./scenario.ts";
import { kindOf, shrink, toTest } from "./shrink.ts";
import { Statistics } from "./statistics.ts";
import { runWithTwins } from "./twins.ts";

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "Infinity" },
    "keep-going": { type: "boolean", default: false },
    table: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    "no-shrink": { type: "boolean", default: false },
  },
});

/** One history in 16 is run twice: the second run has to be the same, byte for byte. Others are run with their twins. */
async function runSeed(seed: number, scenario: Scenario): Promise<HistoryResult> {
  if (seed % 16 === 8) return runWithTwins(scenario);
  const result = await runHistory(scenario);
  if (seed % 16 !== 0) return result;
  const again = await runHistory(scenario);
  const isSame = again.trace.join("\n") === result.trace.join("\n");
  return isSame
    ? result
    : { ...result, violations: [...result.violations, "a second run has another trace"] };
}

async function report(scenario: Scenario, violation: string): Promise<void> {
  if (values["no-shrink"]) return console.log(`seed ${scenario.seed}: ${violation}`);
  const kind = kindOf(violation);
  const smallest = await shrink(scenario, kind);
  const { violations, trace } = await runWithTwins(smallest);
  console.log(`seed ${scenario.seed}: ${violations.find((one) => kindOf(one) === kind) ?? violation}\n`);
  console.log(`${toTest(kind, smallest)}\n\n${trace.join("\n")}`);
}

async function main(): Promise<number> {
  const first = Number(values.seed);
  const end = performance.now() + Number(values.seconds) * 1000;
  const statistics = new Statistics();
  const failures = new Map<string, number[]>();
  const cpu = process.cpuUsage();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const last = first + Number(values.histories) - 1;
  for (let seed = first; seed <= last && performance.now() < end && !stop.signal.aborted; seed += 1) {
    const scenario = generate(seed);
    const result = await runSeed(seed, scenario);
    statistics.add(scenario, result);
    if (values.trace) console.log(`${toTest(`seed ${seed}`, scenario)}\n\n${result.trace.join("\n")}`);
    const [violation] = result.violations;
    if (violation === undefined) continue;
    const kind = kindOf(violation);
    failures.set(kind, [...(failures.get(kind) ?? []), seed]);
    if (values["keep-going"]) continue;
    await report(scenario, violation);
    break;
  }
  const { user, system } = process.cpuUsage(cpu);
  if (values.table) console.log(String(statistics));
  for (const [kind, seeds] of failures)
    console.log(`${seeds.length} times ${kind}: seeds ${seeds.slice(0, 5).join(", ")}`);
  const perSecond = Math.round(statistics.histories / ((user + system) / 1_000_000));
  console.log(
    `${statistics.histories} histories from seed ${first}, ${perSecond} for each second of processor time`,
  );
  const tooRare = statistics.coverage.tooRare();
  if (tooRare.length > 0) console.log(`in less than 1 % of the histories: ${tooRare.join(", ")}`);
  return failures.size === 0 && tooRare.length === 0 ? 0 : 1;
}

process.exitCode = await main();
