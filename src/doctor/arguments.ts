import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fleetBasePath } from "../../generated/fleet.operations.ts";
import { isInsecure, parseBaseUrl } from "../wire/base-url.ts";
import { parseKey } from "../wire/fleet-key.ts";
import { isSendableSecret } from "../wire/header-text.ts";
import { codeOf, messageOf } from "../wire/thrown.ts";
import { CheckError } from "./client.ts";
import { isUsableId } from "./operations.ts";
import type { Target } from "./service.ts";

/** @throws {CheckError} whose message quotes no secret */
function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckError(message);
}

export interface Settings {
  readonly targets: readonly Target[];
  readonly json: boolean;
  readonly requests: number;
  readonly rate: number;
  /** The file for the readings. */
  readonly readings: string | undefined;
}

/** The output of `shelfleet doctor --help`. */
export const doctorHelp = `Usage: shelfleet doctor [options]

Compares a live service with the contract. It only sends GETs, prints a line for each check as it happens, and at the
end the options for the clients.

  --store-url, --fleet-url <url>    the URL before /v1, and the one that ends in /api/third-party/v1
                                    (default: SHELFLEET_STORE_URL; SHELFLEET_FLEET_URL or SHELFLEET_SANDBOX_URL)
  --token-file, --key-file <file>   the file with the credential (default: SHELFLEET_TOKEN, SHELFLEET_KEY)
  --external-id <id>                the store to read (default: the first one that has an external ID)
  --from, --to <time>               the range of protocols, photos and fill rates, ISO 8601
                                    (default: the last 30 days, or ten years if they have no protocol)
  --requests <n>, --rate <n>        the largest number of requests (60), and how many per second (5)
  --readings <file>                 writes what the service does about open questions, for shelfleet mock --readings
  --json                            prints one JSON document
  --help                            prints this

Exit code: 0 everything as the contract says, 1 a difference, 2 something could not be checked, 3 wrong arguments.`;

const text = { type: "string" } as const;
const options = {
  "store-url": text,
  "fleet-url": text,
  "token-file": text,
  "key-file": text,
  "external-id": text,
  from: text,
  to: text,
  requests: { ...text, default: "60" },
  rate: { ...text, default: "5" },
  readings: text,
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {CheckError} */
export function readArguments(args: readonly string[], env: Environment): Settings | "help" {
  const values = parse(args);
  const { json, requests, rate, readings, "external-id": externalId } = values;
  if (values.help) return "help";
  requireThat(externalId === undefined || isUsableId(externalId), "--external-id cannot be part of a path");
  requireThat(/^[1-9]\d{0,4}$/.test(requests), "--requests must be a positive integer");
  requireThat(/^\d+(\.\d+)?$/.test(rate) && Number(rate) > 0, "--rate must be a positive number");
  if (readings !== undefined) useFile("--readings", () => writeFileSync(readings, "", { flag: "a" }));
  const query = { externalId, from: readTime("--from", values.from), to: readTime("--to", values.to) };
  const services = [readStore(values, env), readFleet(values, env)];
  const targets = services.filter((one) => one !== undefined).map((one) => ({ ...one, ...query }));
  requireThat(targets.length > 0, "SHELFLEET_STORE_URL or SHELFLEET_FLEET_URL must be set");
  return { targets, json, requests: Number(requests), rate: Number(rate), readings };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // an argument may be a secret, so only names of options are quoted
    const [, name] = /'(--[a-z-]+)/.exec(messageOf(error)) ?? [];
    const words = name === undefined ? "Unexpected argument" : `Unknown option or missing value: ${name}`;
    throw new CheckError(`${words}; see shelfleet doctor --help`);
  }
}

function readTime(flag: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  requireThat(!Number.isNaN(Date.parse(value)), `${flag} must be a time such as 2026-01-31T00:00:00Z`);
  return new Date(value).toISOString();
}

type Values = ReturnType<typeof parse>;
type Service = Pick<Target, "api" | "base" | "credential" | "secret">;

function readStore(values: Values, env: Environment): Service | undefined {
  const base = readUrl("store", values["store-url"] ?? env["SHELFLEET_STORE_URL"]);
  if (base === undefined) return undefined;
  requireThat(!base.endsWith("/v1"), "The URL of the store API must not end in /v1, which every path has");
  const secret = readSecret("token", values["token-file"], env["SHELFLEET_TOKEN"]);
  return { api: "store", base, credential: "token", secret };
}

function readFleet(values: Values, env: Environment): Service | undefined {
  const { SHELFLEET_FLEET_URL: production, SHELFLEET_SANDBOX_URL: sandbox, SHELFLEET_KEY: key } = env;
  const given = values["fleet-url"];
  if (!(given || production || sandbox)) return undefined;
  const secret = readSecret("key", values["key-file"], key);
  const environment = parseKey(secret)?.environment ?? "production";
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

function readSecret(name: "token" | "key", file: string | undefined, variable = ""): string {
  const content = file === undefined ? variable : useFile(`--${name}-file`, () => readFileSync(file, "utf8"));
  const value = content.replace(/^\uFEFF/, "").trim();
  requireThat(value !== "", `No ${name} is given: set SHELFLEET_${name.toUpperCase()}, or --${name}-file`);
  requireThat(isSendableSecret(value), `The ${name} must be visible ASCII characters without spaces`);
  return value;
}

function useFile<Result>(flag: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new CheckError(`${flag}: the file cannot be used (${codeOf(error)})`);
  }
}
