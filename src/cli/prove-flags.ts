import { availableParallelism } from "node:os";
import { describeFlags, flag, positive, text, toggle } from "./flags.ts";

/** Programs wait most of the time, so more of them than cores run at once. */
const JOBS_PER_CORE = 3;

/** The flags of `shelfleet prove`, before the program. */
export const proveFlags = {
  tasks: flag(
    text,
    "<list>",
    "the tasks that the program does, such as copy-stores, or copy for every task of this kind",
  ),
  only: flag(
    text,
    "<list>",
    "only these scenarios: names such as copy-stores/cursor-loop, families such as lists, or parts of names",
  ),
  timeout: flag(positive(10, true), "<s>", "the time limit of one run in seconds (default 10)"),
  jobs: flag(
    positive(availableParallelism() * JOBS_PER_CORE, true),
    "<n>",
    "the number of programs that run at the same time (default: three for each core)",
  ),
  json: flag(toggle, "", "prints the reports as JSON"),
  junit: flag(text, "<file>", "writes the reports as JUnit XML"),
  serve: flag(
    text,
    "<name>",
    "starts only the world of this scenario, for a debugger, and judges it at the end (Ctrl+C)",
  ),
  list: flag(toggle, "", "prints the names of the scenarios"),
};

/** The output of `shelfleet prove --help`. */
export const proveHelp = `Usage: shelfleet prove [options] -- <program> [arguments]

Runs a program in many worlds in which something goes wrong, and says where it loses, repeats or destroys data without an
error. Each world has a separate reference server; no other service is contacted.

The program gets STORE_URL and STORE_TOKEN, FLEET_URL and FLEET_KEY, SHELFLEET_TASK (a JSON file with the task: name,
words, data) and SHELFLEET_OUT (a folder). It writes what it copies as NDJSON, one object per line, into files of this folder
(*.ndjson). It reports an error with its exit code. STORE_TOKEN_FILE and FLEET_KEY_FILE name files with the present token and key, which some
worlds replace during a run. For other variables or a database: -- sh -c 'API=$STORE_URL ./sync && ./dump > $SHELFLEET_OUT/rows.ndjson'

${describeFlags(proveFlags)}

Exit codes: 0 every scenario passed, 1 a scenario failed, 2 a scenario could not be judged (a program that is too slow here
needs a larger --timeout or fewer --jobs), or wrong use.`;
