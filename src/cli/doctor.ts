import { fleetBasePath } from "../../generated/fleet.operations.ts";
import { type Examination, examine, type Run, type Settings as RunSettings } from "../doctor/doctor.ts";
import { isUsableId } from "../doctor/operations.ts";
import { useProxies } from "../doctor/proxy.ts";
import { describeExamination, Output, type Streams } from "../doctor/report.ts";
import type { Target } from "../doctor/service.ts";
import { isInsecure, parseBaseUrl } from "../wire/address.ts";
import { isSendableSecret, parseKey } from "../wire/secret.ts";
import { version } from "../wire/version.ts";
import { assertWritable, readTextFile, writeFile } from "./files.ts";
import { describeFlags, flag, positive, readFlags, type Settings, text, toggle } from "./flags.ts";
import { CommandError } from "./output.ts";

/** The flags of `shelfleet doctor`. */
const doctorFlags = {
  "store-url": flag(text, "<url>", "the URL before /v1 (default: SHELFLEET_STORE_URL)"),
  "fleet-url": flag(text, "<url>", `the URL that ends in ${fleetBasePath} (default: SHELFLEET_FLEET_URL)`),
  "token-file": flag(text, "<file>", "the file with the token (default: SHELFLEET_TOKEN, or _FILE)"),
  "key-file": flag(text, "<file>", "the file with the key (default: SHELFLEET_KEY, or _FILE)"),
  "external-id": flag(text, "<id>", "the store to read (default: the first one that has an external ID)"),
  from: flag(text, "<time>", "the start of ranges, ISO 8601 (default: 30 days ago, or ten years)"),
  to: flag(text, "<time>", "the end of ranges (default: now)"),
  requests: flag(positive(120, true), "<n>", "the largest number of requests (default 120)"),
  rate: flag(positive(5, false), "<n>", "requests per second (default 5)"),
  readings: flag(text, "<file>", "writes the answers to open questions, for shelfleet mock --readings"),
  verbose: flag(toggle, "", "prints each check"),
  json: flag(toggle, "", "prints one JSON document"),
};

/** The output of `shelfleet doctor --help`. */
const doctorHelp = `Usage: shelfleet doctor [options]

Compares a live service with the contract. It sends only GETs, and prints what differs, what could not be checked, and
the clients with the options that this service needs.

${describeFlags(doctorFlags)}

A proxy of the environment (HTTPS_PROXY, NO_PROXY) is used.
Exit code: 0 everything as the contract says, 1 a difference, 2 something could not be checked, or wrong use.`;

/** What a run uses of the process. */
export interface Surroundings extends Omit<Run, "onRequest"> {
  readonly env: Environment;
  readonly streams: Streams;
}

/**
 * Runs `shelfleet doctor`. Returns the exit code: 0 everything as the contract says, 1 a difference, 2 something could not
 * be checked.
 *
 * @throws {CommandError}
 */
export async function runDoctor(
  args: readonly string[],
  surroundings: Surroundings = { env: process.env, fetch: globalThis.fetch, streams: process },
): Promise<number> {
  const { env, fetch, streams } = surroundings;
  const flags = readFlags("doctor", doctorFlags, args);
  if (flags === undefined) {
    streams.stdout.write(`${doctorHelp}\n`);
    return 0;
  }
  const settings = readSettings(flags, env);
  // a fetch of a test has no proxy
  const proxies = fetch === globalThis.fetch ? useProxies(env) : undefined;
  if (proxies !== undefined) streams.stderr.write(`shelfleet: ${proxies}\n`);
  const output = new Output(streams, settings.targets);
  const examination = await examine(settings, {
    ...surroundings,
    onRequest: (request) => output.progress(request),
  });
  const { readings } = examination;
  if (flags.readings !== undefined)
    writeFile("--readings", flags.readings, `${JSON.stringify(readings, undefined, 2)}\n`);
  if (flags.json) output.line(JSON.stringify(toDocument(examination), undefined, 2));
  else for (const line of describeExamination(examination, flags.verbose)) output.line(line);
  return examination.exitCode;
}

/** The document of `--json`. */
function toDocument({ services, findings, readings, requests, exitCode }: Examination): unknown {
  const pairs = services.map(({ target, options }) => [target.api, Object.fromEntries(options)]);
  const options: unknown = Object.fromEntries(pairs);
  return { version, requests, exitCode, findings, readings, options };
}

type Environment = Readonly<Record<string, string | undefined>>;
type Values = Settings<typeof doctorFlags>;
type Service = Pick<Target, "api" | "base" | "credential" | "secret">;

/** @throws {CommandError} whose message quotes no secret */
function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CommandError(message);
}

/** Reads what a run needs from the flags and the environment. */
function readSettings(values: Values, env: Environment): RunSettings {
  const { requests, rate, readings, "external-id": externalId } = values;
  requireThat(externalId === undefined || isUsableId(externalId), "--external-id cannot be part of a path");
  if (readings !== undefined) assertWritable("--readings", readings);
  const query = { externalId, from: readTime("--from", values.from), to: readTime("--to", values.to) };
  const { from = "", to = new Date().toISOString() } = query;
  requireThat(from <= to, "--from must not be after --to, which is now by default");
  const services = [readStore(values, env), readFleet(values, env)];
  const targets = services.filter((one) => one !== undefined).map((one) => ({ ...one, ...query }));
  requireThat(targets.length > 0, "SHELFLEET_STORE_URL or SHELFLEET_FLEET_URL must be set");
  return { targets, requests, rate };
}

function readTime(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  requireThat(!Number.isNaN(Date.parse(value)), `${name} must be a time such as 2026-01-31T00:00:00Z`);
  return new Date(value).toISOString();
}

function readStore(values: Values, env: Environment): Service | undefined {
  const base = readUrl("store", values["store-url"] ?? env["SHELFLEET_STORE_URL"]);
  if (base === undefined) return undefined;
  requireThat(!base.endsWith("/v1"), "The URL of the store API must not end in /v1, which every path has");
  const secret = readSecret("token", values["token-file"], env);
  return { api: "store", base, credential: "token", secret };
}

function readFleet(values: Values, env: Environment): Service | undefined {
  const { SHELFLEET_FLEET_URL: production, SHELFLEET_SANDBOX_URL: sandbox } = env;
  const given = values["fleet-url"];
  if (!(given || production || sandbox)) return undefined;
  const secret = readSecret("key", values["key-file"], env);
  const environment = parseKey(secret)?.environment;
  requireThat(
    environment !== undefined,
    "The key must have the form <prefix>_ or <prefix>_test_ and 64 hexadecimal digits, as FleetClient requires it",
  );
  const base = readUrl("fleet", given ?? (environment === "sandbox" ? sandbox : production));
  requireThat(base !== undefined, `No URL is set for a ${environment} key`);
  requireThat(base.endsWith(fleetBasePath), `The URL of the fleet API must end in ${fleetBasePath}`);
  return { api: "fleet", base, credential: "key", secret };
}

function readUrl(api: Target["api"], value = ""): string | undefined {
  if (value.trim() === "") return undefined;
  const url = parseBaseUrl(value.trim());
  requireThat(typeof url !== "string", `The URL of the ${api} API ${String(url)}`);
  requireThat(!isInsecure(url), `The URL of the ${api} API must be https, which hides the credential`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Reads the token or key from the file of its flag, from its variable, or from the file that `<variable>_FILE` names. */
function readSecret(name: Target["credential"], givenFile: string | undefined, env: Environment): string {
  const variable = `SHELFLEET_${name.toUpperCase()}`;
  const { [variable]: secret = "", [`${variable}_FILE`]: secretFile = "" } = env;
  requireThat(
    givenFile !== undefined || secret === "" || secretFile === "",
    `Only one of ${variable} and ${variable}_FILE may be set`,
  );
  const source = givenFile === undefined ? `${variable}_FILE` : `--${name}-file`;
  const file = givenFile ?? secretFile;
  const value = (file === "" ? secret : readTextFile(source, file)).trim();
  requireThat(
    value !== "",
    `No ${name} is given: set ${variable} or ${variable}_FILE, or give --${name}-file`,
  );
  requireThat(
    !/^bearer\s/i.test(value),
    `The ${name} must not begin with "Bearer", which every request adds`,
  );
  requireThat(isSendableSecret(value), `The ${name} must be visible ASCII characters without spaces`);
  return value;
}
