import { parseArgs } from "node:util";

export interface Arguments {
  quick: boolean;
  growth: boolean;
  /** The rows to measure; all where it is empty. */
  only: string[];
  /** Decides the order of the contenders. */
  seed: number;
  json: string | undefined;
  readme: boolean;
  /** A result that is there already, in place of a run. */
  from: string | undefined;
  /** Two results to be compared. */
  compare: [string, string] | undefined;
  list: boolean;
  help: boolean;
}

export const usage = `npm run bench -- [options]

  --quick        fewer rounds and no growth: at most 8 minutes on two cores
  --growth       each figure also at 10 and 100 times the work, with its slope; on without --quick, --no-growth: off
  --only ID,ID   only these rows
  --seed N       the order of the contenders, as an earlier run printed it
  --json FILE    writes the figures as JSON too
  --readme       writes the tables of both READMEs, bench/figures.json and bench/figures.svg too
  --from FILE    with --readme: measures nothing, the figures are those that --json wrote
  --compare A B  measures nothing: whether the ratios of two such files agree
  --list         names the rows
  --help         this text`;

const options = {
  quick: { type: "boolean", default: false },
  growth: { type: "boolean" },
  only: { type: "string", default: "" },
  seed: { type: "string" },
  json: { type: "string" },
  readme: { type: "boolean", default: false },
  from: { type: "string" },
  compare: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Throws for what it does not know. */
export function readArguments(argv: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: argv,
    options,
    allowPositionals: true,
    allowNegative: true,
  });
  const { quick, readme, list, help, json, from, growth = !quick } = values;
  const only = values.only.split(",").filter((id) => id !== "");
  if (readme && only.length > 0) throw new Error("--readme needs every row: leave --only out");
  if (from !== undefined && !readme) throw new Error("--from needs --readme");
  const compare = compared(values.compare, positionals);
  return { quick, growth, only, seed: seedOf(values.seed), json, readme, from, compare, list, help };
}

function compared(wanted: boolean, [a, b, ...more]: string[]): [string, string] | undefined {
  if (!wanted && a === undefined) return undefined;
  if (!wanted) throw new Error(`${a} is not an option`);
  if (a === undefined || b === undefined || more.length > 0) throw new Error("--compare needs two files");
  return [a, b];
}

function seedOf(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * 1e9);
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--seed wants up to nine digits, not ${text}`);
  return Number(text);
}
