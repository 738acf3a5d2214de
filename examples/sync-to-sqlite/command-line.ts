import { parseArgs } from "node:util";
import { storeQueryLimits } from "../../src/index.ts";

/** The page sizes that the lists of stores and protocols take. */
const pageSize = storeQueryLimits.listStores.limit;

/** The arguments of the program. */
export interface Settings {
  /** The real service; undefined: the reference server, started for this run. */
  service: { baseUrl: string; token: string; allowInsecure: boolean } | undefined;
  db: string;
  from: string | undefined;
  to: string | undefined;
  concurrency: number;
  pageSize: number;
  anew: boolean;
  /** The transport of the requests. */
  transport: "undici" | "fetch";
}

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `Copies every store and its protocols into an SQLite file.

  node main.ts --base-url <url> [--db <file>] …     from a service; the token is read from SHELFLEET_TOKEN
  node main.ts --demo                               from a reference server that it starts itself

  --base-url <url>      the URL before /v1: https, or http to this machine
  --token <token>       the bearer token; SHELFLEET_TOKEN in the environment is safer, since other
                        users of a machine can read the arguments of its programs
  --allow-insecure      allows http to other machines
  --db <file>           the SQLite file (default: stores.sqlite; demo.sqlite with --demo)
  --from, --to <time>   the range of the protocols: ISO 8601 with an offset or Z (default: the last 28 days)
  --concurrency <n>     the number of stores that are read at a time, 1 to 64 (default: 8)
  --page-size <n>       the number of items per request, 1 to ${pageSize.maximum} (default: ${pageSize.default})
  --fetch               sends requests with the fetch of Node.js instead of undici
  --anew                starts another sync if the file has a finished sync or one of another range
  --demo                starts the reference server if there is no --base-url
  --help                prints this

If the program is killed or interrupted, start it again with the same --db: it resumes.`;

const options = {
  "base-url": { type: "string" },
  token: { type: "string" },
  "allow-insecure": { type: "boolean" },
  db: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  concurrency: { type: "string" },
  "page-size": { type: "string" },
  fetch: { type: "boolean" },
  anew: { type: "boolean" },
  demo: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** @throws {UsageError} */
export function readCommandLine(args: string[], env: NodeJS.ProcessEnv): Settings | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const service = readService(values, env);
  const from = readInstant("--from", values.from);
  const to = readInstant("--to", values.to);
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw new UsageError("--from is later than --to");
  if (values.db === "") throw new UsageError("--db must name a file");
  return {
    service,
    db: values.db ?? (service === undefined ? "demo.sqlite" : "stores.sqlite"),
    from,
    to,
    concurrency: readCount("--concurrency", values.concurrency ?? "8", 64),
    pageSize: readCount("--page-size", values["page-size"] ?? String(pageSize.default), pageSize.maximum),
    anew: values.anew ?? false,
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
