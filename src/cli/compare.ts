import { isSendableSecret } from "../wire/header-text.ts";
import { isInsecure, parseBaseUrl } from "../wire/base-url.ts";
import { omitUndefined } from "../wire/names.ts";
import { printError, printJson, printLine, printText, StartError, UsageError } from "./output.ts";
import { decimal, integer, list, readFlags, type Settings, text, toggle, withDefault } from "./flags.ts";
import type { ExportedState } from "../mock/index.ts";
import { compare, type CompareReport } from "../field/compare/compare.ts";
import { ServiceError } from "../field/compare/service.ts";
import { readJsonObject } from "./files.ts";

const flags = {
  "store-url": text,
  "fleet-url": text,
  readings: text,
  state: text,
  rate: decimal,
  "max-requests": integer(1, Number.MAX_SAFE_INTEGER),
  allow: withDefault(list, []),
  "allow-insecure": toggle,
  json: toggle,
};

/** The settings of `shelfleet compare`. */
type CompareSettings = ReturnType<typeof settingsOf>;

/** The output of `shelfleet compare --help`. */
const compareHelp = `Usage: shelfleet compare [options]

Reads the data of a service, starts a mock with the same data and your readings, sends the same GETs to both and prints
their differences. Sends only GETs, some of them with invalid or unknown parameters.

  --store-url <url>     the store API; needs SHELFLEET_TOKEN
  --fleet-url <url>     the fleet API; needs SHELFLEET_KEY
  --readings <file>     required: a file with readings, that of shelfleet probe --out, or JSON such as
                        {"stores.omitted-fields": "reset"}; {} means the default readings
  --state <file>        the state of the mock, as shelfleet mock --save or exportState() wrote it;
                        by default the data that the service shows
  --rate <n>            requests per second (default 5)
  --max-requests <n>    the largest number of requests (default 1000)
  --allow <name,...>    further properties that the service may return, or * for all
  --allow-insecure      sends secrets to other machines without TLS
  --json                prints the report as JSON
  --help                prints this

Exit codes: 0 no difference, 1 differences, 2 wrong use, 3 the service could not be reached or read, also in the
middle of the comparison, 4 no difference, but not everything could be compared.`;

/** @throws {UsageError} */
function readCompareArguments(args: string[], env: Environment): CompareSettings | "help" {
  const { settings } = readFlags("compare", flags, args);
  return settings === undefined ? "help" : settingsOf(settings, env);
}

type Environment = Readonly<Record<string, string | undefined>>;

function settingsOf({ allowInsecure, ...settings }: Settings<typeof flags>, env: Environment) {
  const storeUrl = baseUrl("--store-url", settings.storeUrl, allowInsecure);
  const fleetUrl = baseUrl("--fleet-url", settings.fleetUrl, allowInsecure);
  if (storeUrl === undefined && fleetUrl === undefined)
    throw new UsageError("No service: expected --store-url or --fleet-url");
  const { readings = "" } = settings;
  if (readings === "")
    throw new UsageError("--readings is missing: expected the readings file of shelfleet probe");
  return {
    ...settings,
    readings,
    token: secret("--store-url", storeUrl, "SHELFLEET_TOKEN", env),
    key: secret("--fleet-url", fleetUrl, "SHELFLEET_KEY", env),
  };
}

function secret(flag: string, url: string | undefined, name: string, env: Environment): string | undefined {
  if (url === undefined) return undefined;
  const value = env[name] ?? "";
  if (value === "") throw new UsageError(`${flag} needs ${name}`);
  if (!isSendableSecret(value)) throw new UsageError(`${name} has characters that a header cannot contain`);
  return value;
}

function baseUrl(flag: string, given: string | undefined, allowInsecure: boolean): string | undefined {
  if (given === undefined) return undefined;
  const url = parseBaseUrl(given);
  if (typeof url === "string") throw new UsageError(`${flag} ${url}`);
  if (allowInsecure || !isInsecure(url)) return given;
  throw new UsageError(
    `${flag} must be an https URL (http only for a loopback host, or with --allow-insecure)`,
  );
}

const DIFFERENT = 1;
const SERVICE_ERROR = 3;
const INCOMPLETE = 4;

/** Runs `shelfleet compare` and returns the exit code. */
export async function runCompare(args: string[]): Promise<number> {
  const settings = readCompareArguments(args, process.env);
  if (settings === "help") {
    printText(compareHelp);
    return 0;
  }
  const report = await reportOf(settings);
  if (typeof report === "string") {
    printError(`shelfleet: ${report}`);
    return SERVICE_ERROR;
  }
  if (settings.json) printJson(report);
  else for (const line of reportLines(report)) printLine(line);
  if (report.unavailable !== undefined) return SERVICE_ERROR;
  if (report.differences.length > 0) return DIFFERENT;
  return report.incomplete.length > 0 ? INCOMPLETE : 0;
}

/** Reads the JSON object in a file. @throws {UsageError} */
function jsonObjectIn(flag: string, path: string, content: string): Record<string, unknown> {
  try {
    return readJsonObject(flag, path, content);
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  }
}

/** Returns the report, or the reason that the service cannot be read. */
async function reportOf({
  readings,
  state,
  rate,
  maxRequests,
  ...access
}: CompareSettings): Promise<CompareReport | string> {
  const file = jsonObjectIn("--readings", readings, "gaps and their readings");
  const data: object | undefined = state === undefined ? undefined : jsonObjectIn("--state", state, "data");
  try {
    return await compare({
      ...access,
      readings: file, // the reference server checks both
      ...omitUndefined({ state: data as ExportedState | undefined, rate, maxRequests }), // the server checks the state
    });
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    // the reference server names an unknown gap or reading
    if (error instanceof Error && error.message.startsWith("readings:"))
      throw new UsageError(`--readings ${readings}: ${error.message.slice("readings: ".length)}`);
    if (error instanceof Error && state !== undefined && /^state\b/.test(error.message))
      throw new UsageError(`--state ${state}: ${error.message}`);
    throw error;
  }
}

function reportLines({ differences, requests, compared, incomplete }: CompareReport): string[] {
  const lines = differences.flatMap(({ operation, aspect, place, service, mock, request, count }) => {
    const location = place === "" ? "" : ` ${place}`;
    const times = count === 1 ? "" : ` (${count} times)`;
    return [`${operation} ${aspect}${location}: service ${service}, mock ${mock}${times}`, `    ${request}`];
  });
  lines.push(`${differences.length} differences in ${compared} reads; ${requests} requests to the service`);
  for (const path of incomplete) lines.push(`not compared completely: ${path}`);
  return lines;
}
