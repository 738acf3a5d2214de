import { parseArgs } from "node:util";
import { storeQueryLimits } from "../../src/index.ts";

/** The page sizes that the lists of stores and protocols take. */
const pageSize = storeQueryLimits.listStores.limit;

/** The arguments of the program. */
export interface Settings {
  /** The real service; undefined: the reference server, started for this run. */
  service: { baseUrl: string; token: string; allowInsecure: boolean } | undefined;
  /** The real fleet. */
  fleet: { baseUrl: string; key: string } | undefined;
  db: string;
  /** The start of the protocols of the first run. */
  since: string | undefined;
  concurrency: number;
  pageSize: number;
  /** The transport of the requests. */
  transport: "undici" | "fetch";
}

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `Copies every store, its protocols and the fleet into an SQLite file, and keeps the copy up to date.

  node main.ts --base-url <url> [--db <file>] …     from a service; the token is read from SHELFLEET_TOKEN
  node main.ts --demo                               from a reference server that it starts itself

  --base-url <url>      the URL before /v1: https, or http to this machine
  --token <token>       the bearer token; SHELFLEET_TOKEN in the environment is safer, since other
                        users of a machine can read the arguments of its programs
  --allow-insecure      allows http to other machines
  --fleet-url <url>     copies the fleet too; the key is read from SHELFLEET_KEY
  --db <file>           the SQLite file (default: stores.sqlite; demo.sqlite with --demo)
  --since <time>        the start of the protocols of the first run: ISO 8601 with an offset or Z
                        (default: 28 days ago)
  --concurrency <n>     the number of stores that are read at a time, 1 to 64 (default: 8)
  --page-size <n>       the number of items per request, 1 to ${pageSize.maximum} (default: ${pageSize.default})
  --fetch               sends requests with the fetch of Node.js instead of undici
  --demo                starts the reference server if there is no --base-url
  --help                prints this

Start it again with the same --db at any time, also after it was killed: it resumes, or reads what is new.`;

const options = {
  "base-url": { type: "string" },
  token: { type: "string" },
  "fleet-url": { type: "string" },
  "allow-insecure": { type: "boolean" },
  db: { type: "string" },
  since: { type: "string" },
  concurrency: { type: "string" },
  "page-size": { type: "string" },
  fetch: { type: "boolean" },
  demo: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** @throws {UsageError} */
export function readCommandLine(args: string[], env: NodeJS.ProcessEnv): Settings | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const service = readService(values, env);
  if (values.db === "") throw new UsageError("--db must name a file");
  return {
    service,
    fleet: readFleet(values, env),
    db: values.db ?? (service === undefined ? "demo.sqlite" : "stores.sqlite"),
    since: readInstant("--since", values.since),
    concurrency: readCount("--concurrency", values.concurrency ?? "8", 64),
    pageSize: readCount("--page-size", values["page-size"] ?? String(pageSize.default), pageSize.maximum),
    transport: values.fetch ? "fetch" : "undici",
  };
}

type Values = ReturnType<typeof parse>;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(describeArgumentError(error as NodeJS.ErrnoException)); // parseArgs throws nothing else
  }
}

function describeArgumentError({ code, message }: NodeJS.ErrnoException): string {
  // a stray argument may be a token: it is not quoted
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") return "an argument does not belong to an option";
  return message.split("\n", 1)[0] ?? message;
}

function readService(values: Values, env: NodeJS.ProcessEnv): Settings["service"] {
  const baseUrl = values["base-url"];
  if (baseUrl === undefined && values.demo) {
    if (values.token !== undefined) throw new UsageError("--token needs --base-url");
    return undefined;
  }
  if (!baseUrl) throw new UsageError("--base-url is missing: expected the URL of the service, or --demo");
  if (!URL.canParse(baseUrl))
    throw new UsageError("--base-url must be an absolute URL such as https://api.example.com");
  const token = values.token ?? env["SHELFLEET_TOKEN"];
  if (!token) throw new UsageError("the token is missing: set SHELFLEET_TOKEN, or --token");
  return { baseUrl, token, allowInsecure: values["allow-insecure"] ?? false };
}

function readFleet(values: Values, env: NodeJS.ProcessEnv): Settings["fleet"] {
  const baseUrl = values["fleet-url"];
  if (baseUrl === undefined) return undefined;
  const key = env["SHELFLEET_KEY"];
  if (!key) throw new UsageError("the key of the fleet is missing: set SHELFLEET_KEY");
  return { baseUrl, key };
}

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function readInstant(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (instantForm.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new UsageError(`${option} must be ISO 8601 with an offset or Z, such as 2026-01-31T00:00:00Z`);
}

function readCount(option: string, text: string, max: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= max) return count;
  throw new UsageError(`${option} must be an integer from 1 to ${max}`);
}
