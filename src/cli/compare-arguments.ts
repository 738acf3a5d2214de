import { isSendableSecret } from "../wire/header-text.ts";
import { isLoopback } from "../wire/loopback.ts";
import { UsageError } from "./failure.ts";
import { Flags, parseFlags } from "./flags.ts";

/** The settings of `shelfleet compare`. */
export interface CompareSettings {
  storeUrl: string | undefined;
  token: string | undefined;
  fleetUrl: string | undefined;
  key: string | undefined;
  /** The path of a file. */
  readings: string;
  /** The path of a file. */
  state: string | undefined;
  rate: number | undefined;
  maxRequests: number | undefined;
  allow: string[];
  json: boolean;
}

const options = {
  "store-url": { type: "string" },
  "fleet-url": { type: "string" },
  readings: { type: "string" },
  state: { type: "string" },
  rate: { type: "string" },
  "max-requests": { type: "string" },
  allow: { type: "string" },
  "allow-insecure": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** The output of `shelfleet compare --help`. */
export const compareHelp = `Usage: shelfleet compare [options]

Reads the data of a service, starts a mock with the same data and your readings, sends the same GETs to both and prints
their differences. Sends only GETs, some of them with invalid or unknown parameters.

  --store-url <url>     the store API; needs SHELFLEET_TOKEN
  --fleet-url <url>     the fleet API; needs SHELFLEET_KEY
  --readings <file>     the readings file of shelfleet probe, or a JSON object of gaps and readings
  --state <file>        the state of the mock, as shelfleet mock --save or exportState() wrote it;
                        by default the data that the service shows
  --rate <n>            requests per second (default 5)
  --max-requests <n>    the largest number of requests (default 1000)
  --allow <name,...>    further properties that the service may return, or * for all
  --allow-insecure      sends secrets to other machines without TLS
  --json                prints the report as JSON
  --help                prints this

Exit codes: 0 no difference, 1 differences, 2 wrong use, 3 the service could not be reached or read.`;

/** @throws {UsageError} */
export function readCompareArguments(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): CompareSettings | "help" {
  const { values } = parseFlags("compare", args, { options });
  const flags = new Flags(values);
  if (flags.has("help")) return "help";
  const storeUrl = baseUrl("--store-url", values["store-url"], values["allow-insecure"]);
  const fleetUrl = baseUrl("--fleet-url", values["fleet-url"], values["allow-insecure"]);
  if (storeUrl === undefined && fleetUrl === undefined)
    throw new UsageError("No service: expected --store-url or --fleet-url");
  if (values.readings === undefined || values.readings === "")
    throw new UsageError("--readings is missing: expected the readings file of shelfleet probe");
  return {
    storeUrl,
    token: secret("--store-url", storeUrl, "SHELFLEET_TOKEN", env),
    fleetUrl,
    key: secret("--fleet-url", fleetUrl, "SHELFLEET_KEY", env),
    readings: values.readings,
    state: flags.text("state"),
    rate: flags.decimal("rate"),
    maxRequests: flags.integer("max-requests", 1, Number.MAX_SAFE_INTEGER),
    allow: flags.list("allow") ?? [],
    json: flags.has("json"),
  };
}

function secret(
  flag: string,
  url: string | undefined,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (url === undefined) return undefined;
  const value = env[name] ?? "";
  if (value === "") throw new UsageError(`${flag} needs ${name}`);
  if (!isSendableSecret(value)) throw new UsageError(`${name} has characters that a header cannot contain`);
  return value;
}

function baseUrl(flag: string, text: string | undefined, allowInsecure = false): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${flag} must be an http or https URL`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new UsageError(`${flag} must not contain credentials, a query or a fragment`);
  if (url.protocol === "https:" || isLoopback(url.hostname) || allowInsecure) return text;
  throw new UsageError(
    `${flag} must be an https URL (http only for a loopback host, or with --allow-insecure)`,
  );
}
