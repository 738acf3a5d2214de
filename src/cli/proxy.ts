import { isLoopback } from "../wire/loopback.ts";
import { LogFile } from "../field/proxy/log/log-file.ts";
import { Proxy } from "../field/proxy/proxy.ts";
import type { ProxySummary } from "../field/proxy/tally.ts";
import { ProxyOptionError } from "../field/proxy/services.ts";
import { StartError, UsageError } from "./failure.ts";
import { Output } from "./output.ts";
import { printError, printText } from "./print.ts";
import { type ProxySettings, proxyHelp, readProxyArguments } from "./proxy-arguments.ts";
import { urlLines, findingLine, summaryLines } from "./proxy-lines.ts";
import { codeOf } from "../wire/thrown.ts";

const BROKEN_CONTRACT = 1;
const INTERRUPTED = 130;

/** Runs `shelfleet proxy` until it is interrupted, and returns the exit code. */
export async function runProxy(args: string[]): Promise<number> {
  const settings = readProxyArguments(args);
  if (settings === "help") {
    printText(proxyHelp);
    return 0;
  }
  const interrupted = interruption();
  const output = new Output(process.stdout);
  const log = settings.log === undefined ? undefined : openLog(settings.log);
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
  return exitCodeOf(settings, summary);
}

function exitCodeOf({ fail }: ProxySettings, { violations }: ProxySummary): number {
  const isBroken = violations.some(({ finding }) => finding.side === "response");
  return fail && isBroken ? BROKEN_CONTRACT : 0;
}

/** Resolves with the first signal; a second one ends the program at once. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        count += 1;
        // npx forwards a signal that the terminal has also sent
        if (count > 2) process.exit(INTERRUPTED);
        resolve();
      });
    }
  });
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
    const code = codeOf(error);
    if (code === "EADDRINUSE")
      throw new StartError(`port ${port} of ${host} is in use; choose another with --port`);
    throw new StartError(`cannot listen on port ${port} of ${host}: ${String(code)}`);
  }
}

function warn({ host }: ProxySettings, { services }: Proxy): void {
  if (!isLoopback(host))
    printError(
      `shelfleet: warning: other machines can send requests through this proxy, because it listens on ${host}`,
    );
  for (const { name, url } of services)
    if (url.protocol === "http:" && !isLoopback(url.hostname))
      printError(`shelfleet: warning: --${name}-url has no TLS, so secrets can be read on the way`);
}
