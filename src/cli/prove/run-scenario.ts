import { createServer, type Server } from "node:http";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve, type ServedReference } from "../../mock/node.ts";
import type { Report, Scenario } from "../../mock/scenarios/index.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import { type RunResult, runTrial, type World } from "../../mock/scenarios/trial.ts";
import { redactorOf } from "../../wire/redaction.ts";
import { listenOn } from "../../wire/listen.ts";
import type { ProveSettings } from "./arguments.ts";
import { type ProcessResult, Program, UnreadableRowsError } from "./process.ts";
import { maxRows, parseRows, readFiles, readFolder } from "./rows.ts";

/** The number of characters of requests that are recorded. */
const maxRecord = 1_000_000;

/** Another host, to which a redirect leads. It records what it receives. */
class OtherHost {
  readonly #server: Server;
  #size = 0;

  constructor({ elsewhere, bodiesElsewhere }: World) {
    const add = (records: string[], text: string): void => {
      this.#size += text.length;
      if (this.#size <= maxRecord) records.push(text);
    };
    this.#server = createServer((request, response) => {
      add(elsewhere, `${request.url ?? ""} ${JSON.stringify(request.headers)}`);
      request.setEncoding("utf8").on("data", (text: string) => add(bodiesElsewhere, text));
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end('{"items": [], "data": []}');
      });
    });
  }

  /** Begins to listen; returns the URL. */
  async listen(): Promise<string> {
    return `http://localhost:${await listenOn(this.#server, 0, "127.0.0.1")}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A world that programs reach over HTTP. */
interface ServedWorld {
  readonly world: World;
  /** The variables of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder for its rows. */
  readonly out: string;
  /** Writes the present token and key into their files. */
  readonly writeSecrets: () => void;
  close(): Promise<void>;
}

export async function serveWorld(scenario: Scenario, settings: ProveSettings): Promise<ServedWorld> {
  const world = scenario.createWorld(settings.seed);
  const other = new OtherHost(world);
  world.arm(await other.listen());
  const served = await serve(world.ref);
  const folder = await mkdtemp(join(tmpdir(), "shelfleet-prove-"));
  const out = join(folder, "out");
  await mkdir(out);
  await writeFile(join(folder, "task.json"), JSON.stringify(world.task, undefined, 2));
  const writeSecrets = (): void => {
    // at once, because the program may read them after the next response
    writeFileSync(join(folder, "token"), world.token);
    writeFileSync(join(folder, "key"), world.key);
  };
  writeSecrets();
  return {
    world,
    env: variables(world, served, { folder, out }, settings.env),
    out,
    writeSecrets,
    async close() {
      other.close();
      await Promise.all([served.close(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

function variables(
  world: World,
  { storeUrl, fleetUrl }: ServedReference,
  { folder, out }: { folder: string; out: string },
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const own: Record<string, string> = {
    STORE_URL: storeUrl,
    STORE_TOKEN: world.token,
    STORE_TOKEN_FILE: join(folder, "token"),
    FLEET_URL: fleetUrl,
    FLEET_KEY: world.key,
    FLEET_KEY_FILE: join(folder, "key"),
    // for storeFromEnv and fleetFromEnv: those of this machine could lead to a real service
    SHELFLEET_STORE_URL: storeUrl,
    SHELFLEET_TOKEN: world.token,
    SHELFLEET_FLEET_URL: fleetUrl,
    SHELFLEET_SANDBOX_URL: "",
    SHELFLEET_KEY: world.key,
    SHELFLEET_TASK: join(folder, "task.json"),
    SHELFLEET_OUT: out,
  };
  const mapped = tableOf(namesOf(more), (name) =>
    (more[name] ?? "").replaceAll(/\{(\w+)\}/g, (whole, variable: string) => own[variable] ?? whole),
  );
  // neither a proxy nor a file with passwords of this machine takes part
  const isolated = { NO_PROXY: "*", no_proxy: "*", NETRC: join(folder, "netrc") };
  return { ...own, ...isolated, ...mapped };
}

/** Runs a program in the world of a scenario. */
export async function runScenario(
  scenario: Scenario,
  settings: ProveSettings,
  signal: AbortSignal,
): Promise<Report> {
  const served = await serveWorld(scenario, settings);
  let hasFailed = false;
  try {
    return await runTrial(served.world, {
      async execute() {
        const result = await execute(served, settings, signal);
        hasFailed = result.failure !== undefined;
        return result;
      },
      // a program that failed may not have created its database
      readRows: async () => [
        await readRows(served, settings, signal).catch((error: unknown) => {
          if (hasFailed && error instanceof UnreadableRowsError) return [];
          throw error;
        }),
      ],
    });
  } finally {
    await served.close();
  }
}

async function execute(
  { world, env, out, writeSecrets }: ServedWorld,
  { command, timeout }: ProveSettings,
  signal: AbortSignal,
): Promise<RunResult> {
  const { token, key } = world;
  const present = { STORE_TOKEN: token, SHELFLEET_TOKEN: token, FLEET_KEY: key, SHELFLEET_KEY: key };
  const program = new Program({
    command,
    env: { ...process.env, ...env, ...present },
    timeout,
    signal,
    isOfInterest: (text) => world.secrets.some((secret) => secret !== "" && text.includes(secret)),
    onExit: () => world.endRun(),
  });
  world.startRun({ onStop: () => program.kill(), onRotate: writeSecrets });
  const result = await program.ended;
  return {
    failure: result.code === 0 ? undefined : describeExit(result),
    isTimedOut: result.isTimedOut,
    output: [result.stdout, result.stderr],
    files: await readFiles(out),
  };
}

/** Returns the last lines that the program printed as an error. */
function describeExit({ code, isTimedOut, stderr }: ProcessResult): string {
  const last = stderr.trimEnd().split("\n").slice(-2).join(" ");
  if (isTimedOut) return `stopped at the time limit${last === "" ? "" : `: ${last}`}`;
  return `exit code ${code ?? "none, it was killed"}${last === "" ? "" : `: ${last}`}`;
}

async function readRows(
  { world, env, out }: ServedWorld,
  { read, timeout }: ProveSettings,
  signal: AbortSignal,
): Promise<unknown[]> {
  if (read === undefined) return readFolder(out);
  const command = ["sh", "-c", read];
  const program = new Program({
    command,
    env: { ...process.env, ...env },
    timeout,
    signal,
    maxOutput: maxRows + 1,
  });
  const { code, stdout, stderr } = await program.ended;
  if (stdout.length > maxRows) throw new UnreadableRowsError(`--read printed more than ${maxRows} bytes`);
  if (code !== 0) {
    const reason = redactorOf(world.secrets).redact(stderr.trim());
    throw new UnreadableRowsError(`--read failed with exit code ${code}: ${reason}`);
  }
  return parseRows(stdout);
}
