import type { ProbeOptions } from "../field/probe/options.ts";
import { UsageError } from "./output.ts";
import { omitUndefined } from "../wire/names.ts";
import { decimal, integer, list, listOf, readFlags, type Settings, text, toggle } from "./flags.ts";

/** The flag or the environment variable of each option of `probe` that an error can name. */
const NAMES: Readonly<Record<string, string>> = {
  storeUrl: "--store-url",
  fleetUrl: "--fleet-url",
  sandboxUrl: "--sandbox-url",
  scratchStore: "--scratch-store",
  createScratchStore: "--create-scratch-store",
  allowInsecure: "--allow-insecure",
  write: "--write",
  token: "SHELFLEET_TOKEN",
  key: "SHELFLEET_KEY",
  sandboxKey: "SHELFLEET_SANDBOX_KEY",
  narrowKeys: "SHELFLEET_NARROW_KEYS",
};

/** An option at the beginning of a message or after these words; other words of a message are not options. */
const OPTION = /(?<=^|(?:\bneeds|\bexpected|\bor|\ba|\bwith|,) )[a-z]+(?:[A-Z][a-z]+)*\b(?!["-])/g;

/** Replaces the names of options in an error of `probe` with those of the command line. */
export function nameProbeFlags(message: string): string {
  return message.replaceAll(OPTION, (name) => (Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name));
}

const flags = {
  "store-url": text,
  "fleet-url": text,
  "sandbox-url": text,
  out: text,
  report: text,
  types: text,
  json: toggle,
  "dry-run": toggle,
  diff: text,
  "max-requests": integer(1, Number.MAX_SAFE_INTEGER),
  rate: decimal,
  "no-odd": toggle,
  write: toggle,
  "scratch-store": text,
  "create-scratch-store": toggle,
  har: text,
  log: text,
  "allow-insecure": toggle,
  only: list,
};

type Values = Settings<typeof flags>;

/** The settings of `shelfleet probe`. */
export interface ProbeSettings
  extends Pick<Values, "out" | "report" | "types" | "diff" | "har" | "log" | "json" | "dryRun"> {
  /** URLs, secrets and limits, without the options that the program adds. */
  readonly options: ProbeOptions;
}

/** A parsed command line of `shelfleet probe`. */
type ProbeCommand =
  | { name: "help" }
  | { name: "run"; settings: ProbeSettings }
  | { name: "cleanup"; ledger: string; options: ProbeOptions };

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

A run that ends early, or leaves out a service that failed, replaces no file: it writes <file>.partial.

Exit codes: 0 done, 1 a reading changed (--diff) or data could not be restored, 2 wrong use, 3 a service could not be
reached or authenticated, 130 interrupted.`;

/** @throws {UsageError} */
export function readProbeArguments(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): ProbeCommand {
  const { settings, positionals } = readFlags("probe", flags, args, true);
  if (settings === undefined) return { name: "help" };
  const secrets = secretsIn(env);
  if (positionals.length > 0) {
    const [command, ledger, ...others] = positionals;
    // an unexpected argument may be a secret, so it is not quoted
    if (command !== "cleanup" || ledger === undefined || others.length > 0)
      throw new UsageError("Unexpected argument, which belongs to no option; see shelfleet probe --help");
    const { storeUrl, sandboxUrl, allowInsecure } = settings;
    return {
      name: "cleanup",
      ledger,
      options: { ...secrets, ...omitUndefined({ storeUrl, sandboxUrl }), allowInsecure },
    };
  }
  if (settings.har !== undefined && settings.log !== undefined)
    throw new UsageError("--har and --log cannot be given together");
  return { name: "run", settings: { ...settings, options: { ...secrets, ...probeOptionsOf(settings) } } };
}

function probeOptionsOf(values: Values): ProbeOptions {
  const { storeUrl, fleetUrl, sandboxUrl, scratchStore, maxRequests, rate, only } = values;
  const { noOdd, write, createScratchStore, allowInsecure } = values;
  return {
    ...omitUndefined({ storeUrl, fleetUrl, sandboxUrl, scratchStore, maxRequests, rate, only }),
    odd: !noOdd,
    write,
    createScratchStore,
    allowInsecure,
  };
}

function secretsIn(env: Readonly<Record<string, string | undefined>>): ProbeOptions {
  const { SHELFLEET_TOKEN, SHELFLEET_KEY, SHELFLEET_SANDBOX_KEY, SHELFLEET_NARROW_KEYS } = env;
  const secrets = { token: SHELFLEET_TOKEN, key: SHELFLEET_KEY, sandboxKey: SHELFLEET_SANDBOX_KEY };
  return {
    ...omitUndefined(secrets),
    ...(SHELFLEET_NARROW_KEYS && { narrowKeys: listOf(SHELFLEET_NARROW_KEYS) }),
  };
}
