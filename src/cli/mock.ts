import {
  type ControlledServer,
  type RequestSummary,
  serveControlled,
  type StartupInfo,
  startupInfo,
} from "../mock/control/controlled-server.ts";
import { interruption } from "./interruption.ts";
import { listenError } from "./listen-error.ts";
import { Output, printError, toLine } from "./output.ts";
import { type HiddenSecrets, isPublicHost, type MockSettings } from "./mock-arguments.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { ReferenceServer } from "../mock/index.ts";
import { randomSecret, referenceServer } from "./reference-server.ts";
import { assertDistinct, checkSavable, saveState } from "./files.ts";
import { messageOf } from "../wire/thrown.ts";

/** Writes a line for each request: method, path, status, milliseconds. The line contains no query and no secret. */
class RequestLog {
  readonly #output: Output;
  readonly #json: boolean;

  constructor(output: Output, json: boolean) {
    this.#output = output;
    this.#json = json;
  }

  add({ method, path, status, fault, milliseconds }: RequestSummary): void {
    const ms = Math.round(milliseconds * 100) / 100;
    if (!this.#json) this.#output.line(`${method} ${toLine(path)} ${status ?? fault} ${ms} ms`);
    else if (fault === null) this.#output.line(JSON.stringify({ method, path, status, ms }));
    else this.#output.line(JSON.stringify({ method, path, status, fault, ms }));
  }
}

/**
 * Returns the first lines of the output: URLs, token and keys; with `--json` a single line. For a hidden secret a
 * line names its source; JSON has `null`.
 */
function startupLines(info: StartupInfo, json: boolean, hidden: HiddenSecrets): string[] {
  if (json) return [JSON.stringify(omitHidden(info, hidden))];
  const { storeUrl, fleetUrl, sandboxUrl, controlUrl, controlToken, token, keys } = info;
  const keyRows = (environment: string) =>
    keys
      .filter((key) => key.environment === environment)
      .map(({ key }) => ["key", describeSecret(key, hidden.key)]);
  const rows = [
    ["store API", storeUrl],
    ["token", describeSecret(token, hidden.token)],
    ["fleet API", fleetUrl],
    ...keyRows("production"),
    ["fleet API, sandbox", sandboxUrl],
    ...keyRows("sandbox"),
    ...(controlUrl === undefined ? [] : [["control", controlUrl]]),
    ...(controlToken === undefined
      ? []
      : [["control token", describeSecret(controlToken, hidden.controlToken)]]),
  ];
  return rows.map(([name, value]) => `${name?.padEnd(20)}${value}`);
}

function describeSecret(secret: string, source: string | undefined): string {
  return source === undefined ? secret : `(from ${source})`;
}

function omitHidden(info: StartupInfo, hidden: HiddenSecrets): object {
  return {
    ...info,
    ...(hidden.token !== undefined && { token: null }),
    ...(hidden.key !== undefined && { keys: info.keys.map((key) => ({ ...key, key: null })) }),
    ...(hidden.controlToken !== undefined && info.controlToken !== undefined && { controlToken: null }),
  };
}

/** The time limit for open responses and unread lines when the program is interrupted, in milliseconds. */
const SHUTDOWN_TIMEOUT = 2_000;

/** Runs the reference server until the program is interrupted. */
export async function runMock(settings: MockSettings): Promise<void> {
  const interrupted = interruption();
  assertDistinct({ "--save": settings.save }, { "--readings": settings.readings });
  if (settings.save !== undefined) checkSavable(settings.save);
  const ref = referenceServer(settings);
  const output = new Output(process.stdout);
  const served = await start(
    ref,
    settings,
    settings.quiet ? undefined : new RequestLog(output, settings.json),
  );
  if (isPublicHost(settings.host)) printError(publicHostWarning(settings));
  for (const line of startupLines(startupInfo(ref, served), settings.json, settings.hidden))
    output.line(line);
  await interrupted;
  await Promise.race([served.close().then(() => output.end()), pause(SHUTDOWN_TIMEOUT)]);
  process.exit(save(ref, settings.save));
}

/** Saves the state when no request can change it any more; returns the exit code. */
function save(ref: ReferenceServer, file: string | undefined): number {
  if (file === undefined) return 0;
  try {
    saveState(file, ref.exportState());
    return 0;
  } catch (error) {
    printError(`shelfleet: ${messageOf(error)}`); // a file that cannot be written, an invalid state
    return 1;
  }
}

function publicHostWarning({ host, control }: MockSettings): string {
  const reach = control ? "use and control" : "use";
  return `shelfleet: warning: other machines can ${reach} this server, because it listens on ${host}`;
}

async function start(
  ref: ReferenceServer,
  { port, host, cors, allowHosts, control, controlToken }: MockSettings,
  log: RequestLog | undefined,
): Promise<ControlledServer> {
  try {
    return await serveControlled(ref, {
      port,
      host,
      cors,
      allowHosts,
      controlToken: control ? (controlToken ?? randomSecret()) : undefined,
      onRequest: log && ((summary) => log.add(summary)),
    });
  } catch (error) {
    throw listenError(error, port, host);
  }
}
