import { join } from "node:path";
import {
  findProgram,
  MissingError,
  type Service,
  startProgram,
  stopProgram,
  temporaryFolder,
} from "./program.ts";

/**
 * Starts Debian's Redis on a port of 127.0.0.1 or, without one, on a socket in a temporary folder. It does not save its
 * data to disk.
 */
export async function startRedis(port?: number): Promise<Service> {
  const program = findProgram("redis-server");
  if (program === undefined) throw new MissingError("redis-server", "redis-server");
  const folder = temporaryFolder("redis");
  const socket = join(folder.path, "socket");
  const listen = port === undefined ? ["--port", "0", "--unixsocket", socket] : ["--port", `${port}`];
  const disk = ["--dir", folder.path, "--save", "", "--appendonly", "no"];
  // Redis must not evict the jobs of a queue
  const args = [...listen, "--bind", "127.0.0.1", ...disk, "--maxmemory-policy", "noeviction"];
  const child = await startProgram(program, args, port ?? socket);
  return {
    url: port === undefined ? socket : `redis://127.0.0.1:${port}`,
    async stop() {
      await stopProgram(child, "SIGTERM");
      folder.remove();
    },
  };
}
