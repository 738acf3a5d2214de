import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { isObject, nestsTooDeep } from "../wire/json.ts";
import { codeOf, messageOf } from "../wire/message.ts";
import { NotJudgedError, type Program, type RunResult } from "./judge.ts";
import type { Scenario } from "./scenario.ts";
import { World } from "./world.ts";

/** A program cannot be started. */
export class ProveError extends Error {
  override readonly name = "ProveError";
}

/** How a program is run. */
export interface RunSettings {
  readonly command: readonly string[];
  /** The time limit of one run, in milliseconds. */
  readonly timeout: number;
  /** The folder in which programs of Node keep their compiled code: one is started for each scenario. */
  readonly compileCache: string;
  /** Kills the program. */
  readonly signal: AbortSignal;
}

/** The largest part of an output that is kept, in bytes. */
const MAX_OUTPUT = 20_000_000;

/** The time after the end of a program in which its output must end: a process that left its group can hold it open. */
const OUTPUT_TIMEOUT = 1_000;

/** A world as a process sees it: variables, and a folder with files. */
export class Workspace implements Program {
  readonly world: World;
  readonly #settings: RunSettings;
  #folder = "";

  constructor(scenario: Scenario, settings: RunSettings) {
    this.world = new World(scenario.plan);
    this.#settings = settings;
  }

  async open(): Promise<void> {
    await this.world.open();
    this.#folder = await mkdtemp(join(tmpdir(), "shelfleet-prove-"));
    await mkdir(this.#path("out"));
    writeFileSync(this.#path("task.json"), JSON.stringify(this.world.task, undefined, 2));
    this.#writeSecrets();
    this.world.onRotate = this.#writeSecrets;
  }

  async close(): Promise<void> {
    await Promise.all([this.world.close(), rm(this.#folder, { recursive: true, force: true })]);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  /** Writes the present token and key into their files, at once: the program may read them after the next response. */
  readonly #writeSecrets = (): void => {
    writeFileSync(this.#path("token"), this.world.token);
    writeFileSync(this.#path("key"), this.world.key);
  };

  /** The variables of the program. */
  get #env(): Readonly<Record<string, string>> {
    const { storeUrl, fleetUrl, token, key } = this.world;
    return {
      STORE_URL: storeUrl,
      STORE_TOKEN: token,
      STORE_TOKEN_FILE: this.#path("token"),
      FLEET_URL: fleetUrl,
      FLEET_KEY: key,
      FLEET_KEY_FILE: this.#path("key"),
      // for storeFromEnv and fleetFromEnv: those of this machine could lead to a real service
      SHELFLEET_STORE_URL: storeUrl,
      SHELFLEET_TOKEN: "",
      SHELFLEET_TOKEN_FILE: this.#path("token"),
      SHELFLEET_FLEET_URL: fleetUrl,
      SHELFLEET_SANDBOX_URL: "",
      SHELFLEET_KEY: "",
      SHELFLEET_KEY_FILE: this.#path("key"),
      SHELFLEET_TASK: this.#path("task.json"),
      SHELFLEET_OUT: this.#path("out"),
      // neither a proxy nor a file with passwords of this machine takes part
      NO_PROXY: "*",
      no_proxy: "*",
      NETRC: this.#path("netrc"),
    };
  }

  /** Runs the program once. */
  async run(): Promise<RunResult> {
    const { command, timeout, compileCache, signal } = this.#settings;
    const [file = "", ...args] = command;
    const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, ...this.#env };
    // a separate process group, so that nothing that it starts outlives it
    const child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const streams = [child.stdout, child.stderr];
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // the group has ended
      }
    };
    let stopped: string | undefined;
    const endRun = this.world.startRun(timeout, (reason) => {
      stopped = reason;
      kill();
    });
    signal.addEventListener("abort", kill);
    child.once("exit", () => {
      endRun();
      kill(); // what it left behind
      setTimeout(() => streams.map((stream) => stream.destroy()), OUTPUT_TIMEOUT).unref();
    });
    try {
      const [code, signalName] = (await once(child, "close")) as [number | null, string | null];
      const ending = code === null ? `ended by ${signalName}` : `exit code ${code}`;
      const logged = reasonIn(stderr());
      const end = `${stopped ?? ending}${logged === "" ? "" : `: ${logged}`}`;
      const failure = code === 0 ? undefined : end;
      return { failure, output: [stdout(), stderr()], ending: logged === "" ? undefined : end };
    } catch (error) {
      const reason = codeOf(error) === "ENOENT" ? "there is no such program" : messageOf(error);
      throw new ProveError(`cannot start ${file}: ${reason}`);
    } finally {
      endRun();
      signal.removeEventListener("abort", kill);
    }
  }

  /** Reads what the program has delivered. */
  async read(): ReturnType<Program["read"]> {
    const out = this.#path("out");
    try {
      const entries = await readdir(out, { recursive: true, withFileTypes: true });
      const texts = entries
        .map((entry) => ({ entry, isRows: entry.parentPath === out && /\.(ndjson|jsonl)$/.test(entry.name) }))
        .filter(({ entry, isRows }) => isRows || entry.isFile()) // a pipe may have no end
        .map(({ entry, isRows }) => ({
          isRows,
          name: relative(out, join(entry.parentPath, entry.name)),
          text: readFileSync(join(entry.parentPath, entry.name), "utf8"),
        }));
      const rows = texts.filter(({ isRows }) => isRows).flatMap(({ name, text }) => parseRows(name, text));
      const names = texts.map(({ name }) => name).toSorted();
      const missing = `no row in a file *.ndjson of SHELFLEET_OUT, which has: ${names.join(", ") || "nothing"}`;
      return { rows: [rows], files: texts, missing };
    } catch (error) {
      if (error instanceof NotJudgedError) throw error;
      throw new NotJudgedError(`the rows cannot be read: ${messageOf(error)}`);
    }
  }
}

/** The line of a runtime that names an error: `TypeError: …`, `requests.exceptions.HTTPError: …`, `http.client.IncompleteRead: …`. */
const NAMED_ERROR =
  /^(?:Uncaught )?(?:[\w$.]*(?:Error|Exception|Exit|Interrupt)\b(?: \[\w+\])?|(?:\w+\.)+[A-Z]\w+):/;

/** Returns what a program said about its error: the line that names it, or its last two lines. */
function reasonIn(stderr: string): string {
  const lines = stderr
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^Node\.js v\d|^\(node:\d|^\(Use `node /.test(line))
    .map((line) => line.replace(/^\[(.*)\](?: \{)?$/, "$1")); // Node's form of an error without a stack
  return lines.findLast((line) => NAMED_ERROR.test(line)) ?? lines.slice(-2).join(" ");
}

/** Collects the beginning of an output. The rest is read and dropped, so that the program does not wait. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size < MAX_OUTPUT) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}

/**
 * Parses NDJSON, with or without a byte order mark. A line that is not JSON, or is nested too deeply, is a row that no list
 * contains.
 * @throws {NotJudgedError} if it is one JSON array of objects
 */
function parseRows(name: string, file: string): unknown[] {
  const text = file.replace(/^\uFEFF/, "");
  const whole = text.trimStart().startsWith("[") ? parseRow(text) : undefined;
  if (Array.isArray(whole) && whole.length > 0 && whole.every(isObject))
    throw new NotJudgedError(`${name} is one JSON array: write one object per line`);
  const lines = text.split("\n");
  return lines.filter((line) => line.trim() !== "").map(parseRow);
}

function parseRow(line: string): unknown {
  try {
    if (nestsTooDeep(line)) return line;
    return JSON.parse(line, keepDigits);
  } catch {
    return line;
  }
}

/** A number that a double cannot hold stays a string of its digits. */
function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  const isLarge = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLarge ? source : value;
}
