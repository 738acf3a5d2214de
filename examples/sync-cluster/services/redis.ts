import {
  findProgram,
  MissingError,
  type Service,
  startProgram,
  stopProgram,
  temporaryFolder,
} from "./program.ts";

/** Starts Debian's Redis on 127.0.0.1. It does not save its data to disk. */
export async function startRedis(port: number): Promise<Service> {
  const program = findProgram("redis-server");
  if (program === undefined) throw new MissingError("redis-server", "redis-server");
  const folder = temporaryFolder("redis");
  const args = [
    "--port",
    `${port}`,
    "--bind",
    "127.0.0.1",
    "--dir",
    folder.path,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  // Redis must not evict the jobs of a queue
  const child = await startProgram(program, [...args, "--maxmemory-policy", "noeviction"], port);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await stopProgram(child, "SIGTERM");
      folder.remove();
    },
  };
}
