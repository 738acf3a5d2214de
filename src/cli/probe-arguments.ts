import type { ProbeOptions } from "../field/probe/options.ts";
import { UsageError } from "./failure.ts";
import { Flags, parseFlags } from "./flags.ts";
import { listOf } from "./given-values.ts";

/** The settings of `shelfleet probe`. */
export interface ProbeSettings {
  /** URLs, secrets and limits, without the options that the program adds. */
  options: ProbeOptions;
  /** The paths of files. */
  out: string | undefined;
  report: string | undefined;
  types: string | undefined;
  diff: string | undefined;
  har: string | undefined;
  log: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** A parsed command line of `shelfleet probe`. */
export type ProbeCommand =
  | { name: "help" }
  | { name: "run"; settings: ProbeSettings }
  | { name: "cleanup"; ledger: string; options: ProbeOptions };

const options = {
  "store-url": { type: "string" },
  "fleet-url": { type: "string" },
  "sandbox-url": { type: "string" },
  out: { type: "string" },
  report: { type: "string" },
  types: { type: "string" },
  json: { type: "boolean" },
  "dry-run": { type: "boolean" },
  diff: { type: "string" },
  "max-requests": { type: "string" },
  rate: { type: "string" },
  "no-odd": { type: "boolean" },
  write: { type: "boolean" },
  "scratch-store": { type: "string" },
  "create-scratch-store": { type: "boolean" },
  har: { type: "string" },
  log: { type: "string" },
  "allow-insecure": { type: "boolean" },
  only: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** The output of `shelfleet probe --help`. */
export const probeHelp = `Usage: shelfleet probe [options]
       shelfleet probe cleanup <ledger> [--store-url <url>] [--sandbox-url <url>]

Finds out which readings a live service uses, and writes the readings file. A reading is one way to resolve a gap, which
is a question that the contract leaves open. Without --write it sends only GETs.

  --store-url <url>      the store API; needs SHELFLEET_TOKEN
  --fleet-url <url>      production of the fleet API; needs SHELFLEET_KEY
  --sandbox-url <url>    the sandbox of the fleet API; needs SHELFLEET_SANDBOX_KEY
                         SHELFLEET_NARROW_KEYS holds further keys with few scopes, separated by commas
  --out <file>           writes the readings file, such as shelfleet.readings.json
  --report <file>        writes a report in Markdown, with evidence
  --types <file>         writes the shapes of open objects as TypeScript and zod
  --json                 prints the report as JSON
  --dry-run              prints the experiments and sends nothing
  --diff <file>          compares with an earlier readings file; exit code 1 if a reading changed
  --max-requests <n>     the largest number of requests (default 90; 110 with narrow keys, 150 with --write)
  --rate <n>             requests per second (default 2)
  --no-odd               sends no GETs with invalid or unknown parameters
  --write                writes to the sandbox, and to --scratch-store
  --scratch-store <id>   an existing store that writes may change; it is restored at the end
  --create-scratch-store
                         creates the scratch store if it does not exist, which decides more gaps; the store
                         remains, because the API cannot delete a store
  --har <file>           reads a HAR file of a browser or a proxy instead of a service
  --log <file>           reads a log of shelfleet proxy instead of a service
  --only <gap,...>       examines only these gaps, and those that their experiments need
  --allow-insecure       sends secrets to other machines without TLS
  --help                 prints this

Exit codes: 0 done, 1 a reading changed (--diff) or data could not be restored, 2 wrong use, 3 a service could not be
reached or authenticated.`;

/** @throws {UsageError} */
export function readProbeArguments(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): ProbeCommand {
  const { values, positionals } = parseFlags("probe", args, { options, allowPositionals: true });
  const flags = new Flags(values);
  if (flags.has("help")) return { name: "help" };
  const secrets = secretsIn(env);
  if (positionals.length > 0) {
    const [command, ledger, ...others] = positionals;
    // an unexpected argument may be a secret, so it is not quoted
    if (command !== "cleanup" || ledger === undefined || others.length > 0)
      throw new UsageError("Unexpected argument; see shelfleet probe --help");
    const urls = definedOnly({ storeUrl: flags.text("store-url"), sandboxUrl: flags.text("sandbox-url") });
    const allowInsecure = flags.has("allow-insecure");
    return { name: "cleanup", ledger, options: { ...secrets, ...urls, allowInsecure } };
  }
  const settings: ProbeSettings = {
    options: { ...secrets, ...optionsOf(flags) },
    out: flags.text("out"),
    report: flags.text("report"),
    types: flags.text("types"),
    diff: flags.text("diff"),
    har: flags.text("har"),
    log: flags.text("log"),
    json: flags.has("json"),
    dryRun: flags.has("dry-run"),
  };
  if (settings.har !== undefined && settings.log !== undefined)
    throw new UsageError("--har and --log cannot be given together");
  return { name: "run", settings };
}

function optionsOf(flags: Flags<{ readonly [Name in keyof typeof options]?: unknown }>): ProbeOptions {
  return {
    ...definedOnly({
      storeUrl: flags.text("store-url"),
      fleetUrl: flags.text("fleet-url"),
      sandboxUrl: flags.text("sandbox-url"),
      scratchStore: flags.text("scratch-store"),
      maxRequests: flags.integer("max-requests", 1, Number.MAX_SAFE_INTEGER),
      rate: flags.decimal("rate"),
      only: flags.list("only"),
    }),
    odd: !flags.has("no-odd"),
    write: flags.has("write"),
    createScratchStore: flags.has("create-scratch-store"),
    allowInsecure: flags.has("allow-insecure"),
  };
}

function secretsIn(env: Readonly<Record<string, string | undefined>>): ProbeOptions {
  const { SHELFLEET_TOKEN, SHELFLEET_KEY, SHELFLEET_SANDBOX_KEY, SHELFLEET_NARROW_KEYS } = env;
  const secrets = { token: SHELFLEET_TOKEN, key: SHELFLEET_KEY, sandboxKey: SHELFLEET_SANDBOX_KEY };
  return {
    ...definedOnly(secrets),
    ...(SHELFLEET_NARROW_KEYS && { narrowKeys: listOf(SHELFLEET_NARROW_KEYS) }),
  };
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function definedOnly<Values extends object>(values: Values): Defined<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Values>; // both have the same names
}
