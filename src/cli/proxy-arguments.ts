import { type Settings, hostNames, integer, readFlags, text, toggle, withDefault } from "./flags.ts";

const flags = {
  "store-url": text,
  "fleet-url": text,
  "sandbox-url": text,
  port: withDefault(integer(0, 65_535), 4020),
  host: withDefault(text, "127.0.0.1"),
  "allow-host": hostNames,
  log: text,
  fail: toggle,
  notes: toggle,
  json: toggle,
};

/** The settings of `shelfleet proxy`. */
export type ProxySettings = Settings<typeof flags>;

/** The output of `shelfleet proxy --help`. */
export const proxyHelp = `Usage: shelfleet proxy [options]

Forwards requests of a program to the real service and responses back, unchanged, and checks each request and each
response against the contract. It prints a line for each new violation, and a summary when it is interrupted.

  --store-url <url>    the store API
  --fleet-url <url>    production of the fleet API
  --sandbox-url <url>  the sandbox of the fleet API
  --port <n>           the port (default 4020); 0 selects a free one
  --host <name>        the address to listen on (default 127.0.0.1)
  --allow-host <name>  another name that the Host header of a request may have; may be given several times
  --log <file>         appends each exchange as a line of JSON, without secrets and personal data
  --fail               exit code 1 at the end if the service violated the contract
  --notes              also prints findings that a gap leaves open
  --json               prints each line as JSON
  --help               prints this

Limits: the header of a request has at most 256 KiB and 60 s, a whole request 5 minutes; at most 2 000 clients are
connected. Bodies of any size pass through; up to 8 MiB of each are checked. A response may take any time: the program
decides how long it waits.

Exit codes: 0 done, 1 the service violated the contract (--fail) or the proxy could not start, 2 wrong use.`;

/** @throws {UsageError} */
export function readProxyArguments(args: string[]): ProxySettings | "help" {
  return readFlags("proxy", flags, args).settings ?? "help";
}
