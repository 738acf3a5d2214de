// Debian's Redis and PostgreSQL on sockets in a temporary folder, for the demo and the tests.
import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that can be killed and started again. */
export interface Server {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Returns a Redis that does not save its data: a killed one has lost everything. */
export function createRedis(folder: string): Server {
  const socket = join(folder, "redis.sock");
  const program = findProgram("redis-server", ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]);
  // BullMQ needs a Redis that does not evict keys
  const args = ["--port", "0", "--unixsocket", socket, "--save", "", "--maxmemory-policy", "noeviction"];
  return createServer(socket, program, [...args, "--dir", folder], {}, () => isListening(socket));
}

/** Returns a PostgreSQL with its data in a folder. */
export function createPostgres(folder: string): Server {
  const [program, initdb] = ["postgres", "initdb"].map((name) =>
    findProgram(name, globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted().toReversed()),
  ) as [string, string];
  const user = findUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { cwd: folder, ...user };
  execFileSync(
    initdb,
    ["-D", data, "-U", "sync", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"],
    {
      ...options,
      stdio: "pipe",
    },
  );
  // the data lives as long as the folder: nothing waits for the disk
  const args = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"];
  const url = `postgres://sync@localhost/postgres?host=${folder}`;
  return createServer(url, program, args, options, async (pid) => {
    // it listens before it accepts connections
    const [first, ...lines] = readLines(join(data, "postmaster.pid"));
    return first === String(pid) && lines.some((line) => line.trim() === "ready");
  });
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Creates a folder that is removed when the process ends. */
export function createFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `shelfleet-${name}-`));
  // the server in it may just be ending
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

function findProgram(name: string, places: readonly string[]): string {
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new Error(`${name} is not installed: apt-get install redis-server postgresql, or use compose.yaml`);
  return found;
}

/** The user that PostgreSQL runs as, because it refuses to run as root. */
function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ids = execFileSync("id", ["-u", "postgres"], { encoding: "utf8" });
  const groups = execFileSync("id", ["-g", "postgres"], { encoding: "utf8" });
  return { uid: Number(ids), gid: Number(groups) };
}

function createServer(
  url: string,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  isReady: (pid: number | undefined) => Promise<boolean>,
): Server {
  let child: ChildProcess | undefined;
  // before the folders are removed
  process.prependOnceListener("exit", () => child?.kill("SIGKILL"));
  return {
    url,
    start: async () => {
      // detached, so that Ctrl-C ends the programs that use it first
      const started = spawn(program, args, {
        ...options,
        detached: true,
        stdio: ["ignore", "ignore", "pipe"],
      });
      child = started;
      let output = "";
      started.stderr?.on("data", (bytes: Buffer) => (output = (output + bytes.toString()).slice(-2000)));
      while (!(await isReady(started.pid))) {
        if (started.exitCode !== null) throw new Error(`${program} ended: ${output}`);
        await sleep(20);
      }
    },
    // without a shutdown, as a crash: PostgreSQL's own processes end too
    kill: async () => {
      if (child === undefined) return;
      const gone = once(child, "exit");
      child.kill(program.endsWith("postgres") ? "SIGQUIT" : "SIGKILL");
      await gone;
    },
  };
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}
