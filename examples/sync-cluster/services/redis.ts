import {
  findProgram,
  MissingError,
  type Service,
  startProgram,
  stopProgram,
  temporaryFolder,
} from "./program.ts";

/** Debian's Redis on this machine alone, without a copy on the disk. */
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
  // a queue must not lose jobs
  const child = await startProgram(program, [...args, "--maxmemory-policy", "noeviction"], port);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await stopProgram(child, "SIGTERM");
      folder.remove();
    },
  };
}
