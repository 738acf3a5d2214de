import { parseArgs } from "node:util";

export interface Arguments {
  quick: boolean;
  /** The rows to measure; empty for all. */
  only: string[];
  /** The seed of the order of the contenders. */
  seed: number;
  json: string | undefined;
  readme: boolean;
  /** A result in a file, used instead of a run. */
  from: string | undefined;
  /** Two results to compare. */
  compare: [string, string] | undefined;
  list: boolean;
  help: boolean;
}

export const usage = `npm run bench -- [options]

  --quick        measures fewer rounds, and growth of the jobs only: about 5 minutes on two cores
  --only ID,ID   measures only these rows
  --seed N       repeats the order of the contenders of an earlier run
  --json FILE    also writes the figures as JSON
  --readme       also writes the table of bench/README.md, bench/figures.json and bench/figures.svg
  --from FILE    with --readme: uses the figures of a file that --json wrote, instead of measuring
  --compare A B  compares the ratios of two such files instead of measuring
  --list         prints the IDs of the rows
  --help         prints this text`;

const options = {
  quick: { type: "boolean", default: false },
  only: { type: "string", default: "" },
  seed: { type: "string" },
  json: { type: "string" },
  readme: { type: "boolean", default: false },
  from: { type: "string" },
  compare: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Throws for invalid arguments. */
export function readArguments(argv: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: argv,
    options,
    allowPositionals: true,
    allowNegative: true,
  });
  const { quick, readme, list, help, json, from } = values;
  const only = values.only.split(",").filter((id) => id !== "");
  if (readme && only.length > 0) throw new Error("--readme needs every row: leave --only out");
  if (from !== undefined && !readme) throw new Error("--from needs --readme");
  const compare = comparedFiles(values.compare, positionals);
  return { quick, only, seed: seedOf(values.seed), json, readme, from, compare, list, help };
}

function comparedFiles(wanted: boolean, [a, b, ...more]: string[]): [string, string] | undefined {
  if (!wanted && a === undefined) return undefined;
  if (!wanted) throw new Error(`${a} is not an option`);
  if (a === undefined || b === undefined || more.length > 0) throw new Error("--compare needs two files");
  return [a, b];
}

function seedOf(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * 1e9);
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--seed must have at most nine digits, not ${text}`);
  return Number(text);
}
