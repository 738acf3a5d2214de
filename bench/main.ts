import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { prepare, prepareOld } from "./prepare.ts";
import { measureRow } from "./measure.ts";
import { publish } from "./publication.ts";
import { readEnvironment, readResult, type Result } from "./result.ts";
import { chooseRows } from "./rows.ts";
import { resultsBlock } from "./table.ts";

// Figures go to standard output, progress to standard error. Only scenarios import packages, which are installed by then.

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "string" },
    readme: { type: "boolean", default: false },
    from: { type: "string" },
    old: { type: "string" },
  },
});

async function bench(): Promise<void> {
  const { only, readme, from, json } = options;
  if (readme && only !== "") throw new Error("--readme needs every row");
  const result = from === undefined ? await measure() : readResult(from);
  console.log(resultsBlock(result));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  if (readme && process.exitCode !== 1) publish(result);
}

/** Sets the exit code if something could not be measured. */
async function measure(): Promise<Result> {
  const chosen = chooseRows(options.only.split(",").filter(Boolean));
  const env = readEnvironment(options.quick); // before the preparation, which is a load itself
  prepare();
  const old = options.old === undefined ? undefined : prepareOld(options.old);
  const rows: Result["rows"] = [];
  const start = performance.now();
  for (const row of chosen) {
    const refuse = (contender: string, error: unknown): void => {
      process.exitCode = 1;
      console.error(
        `not measured: ${row.id}: ${contender}: ${error instanceof Error ? error.message : String(error)}`,
      );
    };
    rows.push(await measureRow(row, { isQuick: options.quick, old, refuse }));
    console.error(`${row.id}, after ${Math.round((performance.now() - start) / 1000)} s`);
  }
  env.minutes = Math.round((performance.now() - start) / 6_000) / 10;
  return { env, rows };
}

try {
  await bench();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
