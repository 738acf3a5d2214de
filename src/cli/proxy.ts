import { hostNames, integer, readFlags, type Settings, text, toggle, withDefault } from "./flags.ts";
import type { Finding } from "../field/proxy/check/finding.ts";
import type { Counted, ProxySummary } from "../field/proxy/tally.ts";
import { isInsecure } from "../wire/base-url.ts";
import { isLoopback } from "../wire/loopback.ts";
import { LogFile } from "../field/proxy/log/log-file.ts";
import { Proxy } from "../field/proxy/proxy.ts";
import { ProxyOptionError } from "../field/proxy/services.ts";
import { interruption } from "./interruption.ts";
import { listenError } from "./listen-error.ts";
import { Output, printError, printText, StartError, UsageError } from "./output.ts";
import { codeOf } from "../wire/thrown.ts";

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
type ProxySettings = Settings<typeof flags>;

/** The output of `shelfleet proxy --help`. */
const proxyHelp = `Usage: shelfleet proxy [options]

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

Exit codes: 0 done, 1 the service violated the contract (--fail), lines of --log are missing, or the proxy could not start,
2 wrong use.`;

/** @throws {UsageError} */
function readProxyArguments(args: string[]): ProxySettings | "help" {
  return readFlags("proxy", flags, args).settings ?? "help";
}

export function findingLine(finding: Finding, json: boolean): string {
  const { id, side, operation, status, place, expected, actual, gap } = finding;
  const type = gap === undefined ? "violation" : "note";
  if (json) return JSON.stringify({ type, ...finding });
  const location = [side, operation, status, place].filter((part) => part !== undefined).join(" ");
  return `${type} ${id} ${location}: expected ${expected}, got ${actual}${gap === undefined ? "" : ` (gap ${gap})`}`;
}

/** Returns the URLs of the proxy and their targets. */
function urlLines(
  origin: string,
  targets: readonly { name: string; mount: string; url: URL }[],
  json: boolean,
): string[] {
  if (json) {
    const urls = targets.map(({ name, mount }) => [`${name}Url`, origin + mount]);
    return [JSON.stringify({ type: "listening", ...Object.fromEntries(urls) })];
  }
  return targets.map(({ name, mount, url }) => `${name.padEnd(8)}${origin}${mount} -> ${url.href}`);
}

function flat({ finding, count }: Counted): Finding & { count: number } {
  return { ...finding, count };
}

/** Returns the last lines: each violation with its count, then the totals. */
function summaryLines(summary: ProxySummary, json: boolean): string[] {
  const { exchanges, failures, unread, violations, open, uncounted } = summary;
  if (json) {
    const counts = { exchanges, failures, unread, uncounted };
    return [
      JSON.stringify({
        type: "summary",
        ...counts,
        violations: violations.map(flat),
        open: open.map(flat),
      }),
    ];
  }
  const service = violations.filter(({ finding }) => finding.side === "response").length;
  const lines = violations.map(
    ({ finding, count }) => `${String(count).padStart(7)} x ${findingLine(finding, false)}`,
  );
  lines.push(
    `${exchanges} exchanges; ${service} violations by the service, ${violations.length - service} by the program`,
  );
  if (failures > 0) lines.push(`${failures} exchanges without a complete response`);
  if (unread > 0) lines.push(`${unread} bodies not checked: too large, or in an unknown coding`);
  if (open.length > 0)
    lines.push(`${open.length} notes on what the contract leaves open (--notes prints them)`);
  if (uncounted > 0) lines.push(`${uncounted} further findings were not counted separately`);
  return lines;
}

const INCOMPLETE_OR_BROKEN = 1;

/** Runs `shelfleet proxy` until it is interrupted, and returns the exit code. */
export async function runProxy(args: string[]): Promise<number> {
  const settings = readProxyArguments(args);
  if (settings === "help") {
    printText(proxyHelp);
    return 0;
  }
  // a pipe without a reader blocks the process, which a signal ends only before it is handled here
  const log = settings.log === undefined ? undefined : openLog(settings.log);
  const interrupted = interruption();
  const output = new Output(process.stdout);
  const proxy = proxyOf(settings, log, output);
  const origin = await listen(proxy, settings);
  warn(settings, proxy);
  for (const line of urlLines(origin, proxy.services, settings.json)) output.line(line);
  await interrupted;
  const summary = await proxy.close();
  await log?.end();
  if (log?.failure !== undefined)
    printError(`shelfleet: --log ${settings.log}: lines are missing: ${log.failure}`);
  for (const line of summaryLines(summary, settings.json)) output.line(line);
  await output.end();
  return log?.failure !== undefined || (settings.fail && hasBrokenResponse(summary))
    ? INCOMPLETE_OR_BROKEN
    : 0;
}

function hasBrokenResponse({ violations }: ProxySummary): boolean {
  return violations.some(({ finding }) => finding.side === "response");
}

function openLog(path: string): LogFile {
  try {
    return new LogFile(path);
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(`--log ${path}: cannot be written (${String(code)})`);
  }
}

function proxyOf(
  { storeUrl, fleetUrl, sandboxUrl, port, host, allowHost, notes, json }: ProxySettings,
  log: LogFile | undefined,
  output: Output,
): Proxy {
  try {
    return new Proxy({
      storeUrl,
      fleetUrl,
      sandboxUrl,
      port,
      host,
      allowHosts: allowHost,
      log,
      onFinding: (finding) => {
        if (finding.gap === undefined || notes) output.line(findingLine(finding, json));
      },
    });
  } catch (error) {
    if (error instanceof ProxyOptionError) throw new UsageError(error.message);
    throw error;
  }
}

async function listen(proxy: Proxy, { host, port }: ProxySettings): Promise<string> {
  try {
    return await proxy.listen();
  } catch (error) {
    throw listenError(error, port, host);
  }
}

function warn({ host }: ProxySettings, { services }: Proxy): void {
  if (!isLoopback(host))
    printError(
      `shelfleet: warning: other machines can send requests through this proxy, because it listens on ${host}`,
    );
  for (const { name, url } of services)
    if (isInsecure(url))
      printError(`shelfleet: warning: --${name}-url has no TLS, so secrets can be read on the way`);
}
