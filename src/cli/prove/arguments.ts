import { type Scenario, scenarios } from "../../mock/scenarios/index.ts";
import { UsageError } from "../output.ts";
import {
  type Settings,
  integer,
  optionsOf,
  parseFlags,
  readFlags,
  text,
  texts,
  toggle,
  withDefault,
} from "../flags.ts";

const flags = {
  read: text,
  tasks: text,
  only: text,
  seed: withDefault(integer(0, Number.MAX_SAFE_INTEGER), 1),
  jobs: withDefault(integer(1, 1000), 0),
  timeout: withDefault(integer(1, 86_400), 10),
  json: toggle,
  junit: text,
  env: withDefault(texts, []),
  serve: text,
  list: toggle,
};

type Values = Settings<typeof flags>;

/** The settings of `shelfleet prove`. */
export interface ProveSettings extends Pick<Values, "read" | "seed" | "jobs" | "json" | "junit"> {
  readonly command: readonly string[];
  readonly scenarios: readonly Scenario[];
  /** The time limit of one run, in milliseconds. */
  readonly timeout: number;
  /** Further variables of the program; `{STORE_URL}` is replaced by the value of a variable. */
  readonly env: Readonly<Record<string, string>>;
  /** The scenario of which only the world is started. */
  readonly served: Scenario | undefined;
  /** The flags that a repetition needs, for messages. */
  readonly flags: readonly string[];
}

/** The output of `shelfleet prove --help`. */
export const proveHelp = `Usage: shelfleet prove [options] -- <program> [arguments]

Runs a program in many worlds in which something goes wrong, and says where it loses, repeats or destroys data without an
error. Each world has a separate reference server; no other service is contacted.

The program gets STORE_URL and STORE_TOKEN, FLEET_URL and FLEET_KEY, SHELFLEET_TASK (a JSON file with the task: name,
words, data) and SHELFLEET_OUT (a folder). It writes what it copies as NDJSON into files of this folder (*.ndjson), or into
a database that --read prints. It reports an error with its exit code. STORE_TOKEN_FILE and FLEET_KEY_FILE name files with
the present token and key, which some worlds replace during a run.

  --tasks <list>     the tasks that the program does, such as copy-stores, or copy for every task of this kind
  --only <list>      only these scenarios: names such as copy-stores/cursor-loop, families such as lists, or parts of names
  --read <command>   a shell command that prints the copied rows as NDJSON after the program has ended
  --env <name=text>  a further variable of the program; {STORE_URL} in the text is replaced by its value; may be repeated
  --timeout <s>      the time limit of one run in seconds (default 10)
  --jobs <n>         the number of programs that run at the same time (default: three for each core)
  --seed <n>         other data (default 1)
  --json             prints the reports as JSON
  --junit <file>     writes the reports as JUnit XML
  --serve <name>     starts only the world of this scenario, for a debugger, and judges it at the end (Ctrl+C)
  --list             prints the names of the scenarios
  --help             prints this

Exit codes: 0 every scenario passed, 1 a scenario failed, 2 a scenario could not be judged, or wrong use.`;

/** @throws {UsageError} */
export function readProveArguments(args: readonly string[]): ProveSettings | "help" | "list" {
  const end = args.indexOf("--");
  const own = end === -1 ? [...args] : args.slice(0, end);
  const { settings } = readFlags("prove", flags, own);
  if (settings === undefined) return "help";
  if (settings.list) return "list";
  const command = end === -1 ? [] : args.slice(end + 1);
  const { serve, env, timeout } = settings;
  if ((command[0] ?? "") === "" && serve === undefined)
    throw new UsageError("No program: expected it after --, such as shelfleet prove -- python sync.py");
  return {
    ...settings,
    command,
    scenarios: selectScenarios(settings),
    timeout: timeout * 1000,
    env: readVariables(env),
    served: serve === undefined ? undefined : findScenario(serve),
    flags: repeatedFlags(own),
  };
}

function findScenario(name: string): Scenario {
  const found = scenarios.all.find((scenario) => scenario.name === name);
  if (found === undefined)
    throw new UsageError(`--serve: unknown scenario "${name}"; see shelfleet prove --list`);
  return found;
}

function selectScenarios({ tasks, only }: Values): Scenario[] {
  return select("--only", only, isNamed, select("--tasks", tasks, isTask, scenarios.all));
}

function isTask({ task, api }: Scenario, part: string): boolean {
  return task === part || task.startsWith(`${part}-`) || api === part;
}

function isNamed({ name, family }: Scenario, part: string): boolean {
  return family === part || (part.includes("/") ? name === part : name.includes(part));
}

/** Each part of a list must select something, so that a misspelled name does not pass. */
function select(
  flag: string,
  list: string | undefined,
  accepts: (scenario: Scenario, part: string) => boolean,
  all: readonly Scenario[],
): Scenario[] {
  if (list === undefined) return [...all];
  const parts = list.split(",").map((part) => part.trim());
  for (const part of parts)
    if (part === "" || !all.some((scenario) => accepts(scenario, part)))
      throw new UsageError(`${flag}: "${part}" selects no scenario; see shelfleet prove --list`);
  return all.filter((scenario) => parts.some((part) => accepts(scenario, part)));
}

function readVariables(given: readonly string[]): Record<string, string> {
  const variables = given.map(readVariable);
  const names = variables.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`--env ${repeated} is given twice`);
  return Object.fromEntries(variables);
}

function readVariable(variable: string): [string, string] {
  const equals = variable.indexOf("=");
  if (equals < 1)
    throw new UsageError(`--env must be a name and a text, such as API_URL={STORE_URL}, not "${variable}"`);
  return [variable.slice(0, equals), variable.slice(equals + 1)];
}

/** The flags that change the world or the program, as they were given. */
function repeatedFlags(args: string[]): string[] {
  const { values } = parseFlags("prove", args, { options: optionsOf(flags) });
  return (["read", "env", "seed", "timeout"] as const).flatMap((name) =>
    [values[name] ?? []].flat().flatMap((value) => [`--${name}`, String(value)]),
  );
}
