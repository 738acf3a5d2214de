import { readFileSync, writeFileSync } from "node:fs";
import { fleetBasePath } from "../../generated/fleet.operations.ts";
import type { Settings as RunSettings } from "../doctor/doctor.ts";
import { isUsableId } from "../doctor/operations.ts";
import type { Target } from "../doctor/service.ts";
import { isInsecure, parseBaseUrl } from "../wire/address.ts";
import { isSendableSecret, parseKey } from "../wire/secret.ts";
import { codeOf } from "../wire/message.ts";
import { describeFlags, flag, positive, type Settings, text, toggle } from "./flags.ts";
import { UsageError } from "./output.ts";

/** @throws {UsageError} whose message quotes no secret */
function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new UsageError(message);
}

/** The flags of `shelfleet doctor`. */
export const doctorFlags = {
  "store-url": flag(text, "<url>", "the URL before /v1 (default: SHELFLEET_STORE_URL)"),
  "fleet-url": flag(
    text,
    "<url>",
    `the URL that ends in ${fleetBasePath} (default: SHELFLEET_FLEET_URL, or SHELFLEET_SANDBOX_URL)`,
  ),
  "token-file": flag(text, "<file>", "the file with the token (default: SHELFLEET_TOKEN)"),
  "key-file": flag(text, "<file>", "the file with the key (default: SHELFLEET_KEY)"),
  "external-id": flag(text, "<id>", "the store to read (default: the first one that has an external ID)"),
  from: flag(
    text,
    "<time>",
    "the start of ranges, ISO 8601 (default: 30 days ago, or ten years if they have no protocol)",
  ),
  to: flag(text, "<time>", "the end of ranges (default: now)"),
  requests: flag(positive(120, true), "<n>", "the largest number of requests (default 120)"),
  rate: flag(positive(5, false), "<n>", "requests per second (default 5)"),
  readings: flag(text, "<file>", "writes the answers to open questions, for shelfleet mock --readings"),
  verbose: flag(toggle, "", "prints each check, what GETs cannot show, and a text for the operator"),
  json: flag(toggle, "", "prints one JSON document"),
};

/** The output of `shelfleet doctor --help`. */
export const doctorHelp = `Usage: shelfleet doctor [options]

Compares a live service with the contract. It sends only GETs, and prints what differs, what could not be checked, and
the clients with the options that this service needs.

${describeFlags(doctorFlags)}

A proxy of the environment (HTTPS_PROXY, NO_PROXY) is used.
Exit code: 0 everything as the contract says, 1 a difference, 2 something could not be checked, or wrong use.`;

type Environment = Readonly<Record<string, string | undefined>>;
type Values = Settings<typeof doctorFlags>;
type Service = Pick<Target, "api" | "base" | "credential" | "secret">;

/** Reads what a run needs from the flags and the environment. @throws {UsageError} */
export function readSettings(values: Values, env: Environment): RunSettings {
  const { requests, rate, readings, externalId } = values;
  requireThat(externalId === undefined || isUsableId(externalId), "--external-id cannot be part of a path");
  if (readings !== undefined) useFile("--readings", () => writeFileSync(readings, "", { flag: "a" }));
  const query = { externalId, from: readTime("--from", values.from), to: readTime("--to", values.to) };
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
  const base = readUrl("store", values.storeUrl ?? env["SHELFLEET_STORE_URL"]);
  if (base === undefined) return undefined;
  requireThat(!base.endsWith("/v1"), "The URL of the store API must not end in /v1, which every path has");
  const secret = readSecret("token", values.tokenFile, env["SHELFLEET_TOKEN"]);
  return { api: "store", base, credential: "token", secret };
}

function readFleet(values: Values, env: Environment): Service | undefined {
  const { SHELFLEET_FLEET_URL: production, SHELFLEET_SANDBOX_URL: sandbox, SHELFLEET_KEY: key } = env;
  const given = values.fleetUrl;
  if (!(given || production || sandbox)) return undefined;
  const secret = readSecret("key", values.keyFile, key);
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

function readSecret(name: "token" | "key", file: string | undefined, variable = ""): string {
  const content = file === undefined ? variable : useFile(`--${name}-file`, () => readFileSync(file, "utf8"));
  const value = content.replace(/^\uFEFF/, "").trim();
  requireThat(value !== "", `No ${name} is given: set SHELFLEET_${name.toUpperCase()}, or --${name}-file`);
  requireThat(
    !/^bearer\s/i.test(value),
    `The ${name} must not begin with "Bearer", which every request adds`,
  );
  requireThat(isSendableSecret(value), `The ${name} must be visible ASCII characters without spaces`);
  return value;
}

function useFile<Result>(name: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new UsageError(`${name}: the file cannot be used (${codeOf(error)})`);
  }
}
