import { parseArgs } from "node:util";

export interface Arguments {
  quick: boolean;
  growth: boolean;
  /** The rows to measure; all where it is empty. */
  only: string[];
  json: string | undefined;
  list: boolean;
  help: boolean;
}

export const usage = `npm run bench -- [options]

  --quick        fewer rounds: at most 8 minutes on two cores
  --growth       each figure also at 10 and 100 times the work, with its slope
  --only ID,ID   only these rows
  --json FILE    writes the figures as JSON too
  --list         names the rows
  --help         this text`;

/** Throws for an option that it does not know. */
export function readArguments(argv: string[]): Arguments {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      json: { type: "string" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const only = values.only.split(",").filter((id) => id !== "");
  return { ...values, only, json: values.json };
}
