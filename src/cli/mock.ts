import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseKey } from "../wire/secret.ts";
import { isLoopback } from "../wire/address.ts";
import { codeOf, messageOf } from "../wire/message.ts";
import type { RequestSummary } from "../mock/adapters/http-listener.ts";
import { type ServedReference, serveWith } from "../mock/adapters/serve.ts";
import { CONTROL_PATH, controlApi, HEALTH_PATH } from "../mock/adapters/control.ts";
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from "../mock/index.ts";
import { readJsonFile } from "./files.ts";
import { interruption } from "./interruption.ts";
import { describeFlags, flag, number, readFlags, type Settings, text, texts, toggle } from "./flags.ts";
import { CommandError, LineOutput, print, printError, quote, toLine } from "./output.ts";

/** The flags of `shelfleet mock`. */
export const mockFlags = {
  port: flag(number, "<n>", "the port (default 4010); 0 selects a free one"),
  host: flag(text, "<name>", "the address (default 127.0.0.1); others need --token"),
  "allow-host": flag(texts, "<name>", "a further Host, such as a container; repeatable"),
  cors: flag(toggle, "", "lets pages of any origin call the APIs, and answers preflights"),
  seed: flag(number, "<n>", "the seed of the generated data (default 1)"),
  stores: flag(number, "<n>", "the number of stores (default 250)"),
  vehicles: flag(number, "<n>", "vehicles in each of production and sandbox"),
  token: flag(text, "<text>", "the token of the store API (default: a random one)"),
  key: flag(texts, "<text>", "a key of the fleet API; may be repeated (default: random ones)"),
  now: flag(text, "<time>", "a fixed clock, ISO 8601 (default: the clock of the machine)"),
  readings: flag(text, "<file>", 'answers to open questions: {"stores.omitted-fields": "reset"}'),
  strict: flag(toggle, "", "responds with 400 to every violation of the contract"),
  quiet: flag(toggle, "", "prints no line for a request"),
  json: flag(toggle, "", "prints each line as JSON; the first has addresses, token and keys"),
  control: flag(toggle, "", "serves the control API below /__ref: shelfleet/specs/control.openapi.yaml"),
  "control-token": flag(text, "<text>", "the token of the control API (default: a random one)"),
};

/** Returns the output of `shelfleet mock --help`. */
export function mockHelp(): string {
  return `Usage: shelfleet mock [options]

Runs the reference server of the store integration API and of the fleet inspection API on this machine. It prints its
addresses, the token and the keys, the lines that set the variables of storeFromEnv() and fleetFromEnv() in a shell, and
then a line for each request, until it is interrupted.

${describeFlags(mockFlags)}

A key is <prefix>_ or <prefix>_test_ followed by 64 hexadecimal digits, and has every scope.

Limits: the header of a request has at most 256 KiB and 60 s, its body 10 MB, a whole request 5 minutes; an idle
connection is closed after 60 s.`;
}

type MockSettings = Settings<typeof mockFlags>;

/** The secrets of a server. */
interface Secrets {
  readonly token: string;
  readonly keys: readonly string[];
  readonly controlToken: string | undefined;
}

/** The time limit for open responses and unread lines when the program is interrupted, in milliseconds. */
const SHUTDOWN_TIMEOUT = 2_000;

/** Runs `shelfleet mock` until it is interrupted. */
export async function runMock(args: string[]): Promise<void> {
  const settings = readFlags("mock", mockFlags, args);
  if (settings === undefined) {
    print(mockHelp());
    return;
  }
  const secrets = readSecrets(settings);
  const output = new LineOutput(process.stdout);
  const ref = createServer(settings, secrets);
  const served = await start(ref, settings, secrets.controlToken, output);
  const interrupted = interruption();
  for (const line of startupLines(served, settings.json, secrets)) output.add(line);
  await interrupted;
  await Promise.race([served.close().then(() => output.end()), pause(SHUTDOWN_TIMEOUT)]);
  process.exit(0);
}

/** Returns the secrets of flags, and random ones in place of the others. @throws {CommandError} */
function readSecrets({ host, token, key, control, "control-token": controlToken }: MockSettings): Secrets {
  if (host !== undefined && !isLoopback(host)) {
    const reason = `--host ${host} lets other machines connect and needs`;
    if (token === undefined) throw new CommandError(`${reason} --token`);
    if (control && controlToken === undefined) throw new CommandError(`${reason} --control-token`);
  }
  return {
    token: token ?? randomSecret(),
    keys: key ?? randomKeys(),
    controlToken: control ? (controlToken ?? randomSecret()) : undefined,
  };
}

function randomSecret(): string {
  return `ref-${randomBytes(24).toString("base64url")}`;
}

/** Returns a key of the fleet API for production, and one for the sandbox. */
function randomKeys(): string[] {
  return ["ref", "ref_test"].map((prefix) => `${prefix}_${randomBytes(32).toString("hex")}`);
}

/** The reference server checks the options. */
function createServer(settings: MockSettings, { token, keys }: Secrets): ReferenceServer {
  const { seed, now = "system", strict, readings, stores, vehicles } = settings;
  const options: ReferenceServerOptions = {
    seed,
    now,
    strict,
    readings: readings === undefined ? undefined : (readJsonFile("--readings", readings) as object),
    store: { token, stores },
    fleet: { vehicles, keys: keys.map((key) => ({ key })) },
  };
  try {
    return createReferenceServer(options);
  } catch (error) {
    throw new CommandError(nameFlag(messageOf(error)));
  }
}

/** Replaces the option that a message begins with by its flag: `options.fleet.keys[0].key` by `--key`. */
function nameFlag(message: string): string {
  return message
    .replace("allowHosts", "allow-host")
    .replace(/^(?:(?:options|serve|store|fleet)\.)*(?:keys\[\d+\]\.)?([\w-]+)/, (path, name: string) =>
      Object.hasOwn(mockFlags, name) ? `--${name}` : path,
    );
}

async function start(
  ref: ReferenceServer,
  { port = 4010, host = "127.0.0.1", cors, "allow-host": allowHosts, quiet, json, control }: MockSettings,
  controlToken: string | undefined,
  output: LineOutput,
): Promise<ServedReference> {
  const hooks = {
    intercept: controlApi(ref, controlToken),
    onRequest(summary: RequestSummary) {
      if (!quiet && summary.path !== HEALTH_PATH) output.add(requestLine(summary, json));
    },
  };
  try {
    const served = await serveWith(ref, { port, host, cors, allowHosts }, hooks);
    const reach = control ? "use and control" : "use";
    if (!isLoopback(host))
      printError(
        `shelfleet: warning: other machines can ${reach} this server, because it listens on ${host}`,
      );
    return served;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw new CommandError(nameFlag(messageOf(error)));
    const hint = code === "EADDRINUSE" ? "; choose another with --port" : "";
    throw new CommandError(`cannot listen on port ${port} of ${host}: ${messageOf(error)}${hint}`);
  }
}

/** The line contains no query and no secret. */
function requestLine(summary: RequestSummary, json: boolean): string {
  const { method, path, status, fault, violation, milliseconds } = summary;
  const ms = Math.round(milliseconds * 100) / 100;
  const words = violation === null ? "" : `, violates the contract: ${toLine(violation)}`;
  if (!json) return `${method} ${toLine(path)} ${status ?? fault} ${ms} ms${words}`;
  const shown = { fault: fault ?? undefined, violation: violation ?? undefined };
  return JSON.stringify({ method, path, status, ...shown, ms });
}

/** Returns the first lines of the output: URLs, token, keys, and lines for a shell; with `--json` a single line. */
function startupLines(served: ServedReference, json: boolean, secrets: Secrets): string[] {
  const { storeUrl, fleetUrl, sandboxUrl } = served;
  const { token, keys, controlToken } = secrets;
  const controlUrl = controlToken === undefined ? undefined : new URL(storeUrl).origin + CONTROL_PATH;
  if (json) {
    const shownKeys = keys.map((key) => ({ key, environment: parseKey(key)?.environment }));
    const shown = { storeUrl, fleetUrl, sandboxUrl, token, keys: shownKeys, controlUrl, controlToken };
    return [JSON.stringify(shown)];
  }
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ["store API", storeUrl],
    ["fleet API", fleetUrl],
    ["fleet API, sandbox", sandboxUrl],
    ["token", token],
    ...keys.map((key) => ["key", key] as const),
    ["control", controlUrl],
    ["control token", controlToken],
  ];
  const control =
    controlUrl === undefined ? "; --control adds the control API for faults, time and data" : "";
  return [
    ...rows.flatMap(([name, value]) => (value === undefined ? [] : name.padEnd(20) + value)),
    // the variables of `storeFromEnv()` and `fleetFromEnv()`
    `export SHELFLEET_STORE_URL=${storeUrl} SHELFLEET_TOKEN=${quote(token)}`,
    `export SHELFLEET_FLEET_URL=${fleetUrl} SHELFLEET_SANDBOX_URL=${sandboxUrl} SHELFLEET_KEY=${quote(keys[0] ?? "")}`,
    `# Ctrl+C stops the server${control}`, // a comment, so that all lines can be pasted
  ];
}
