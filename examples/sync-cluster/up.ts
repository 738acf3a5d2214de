import { describeError } from "./failure.ts";
import { startPostgres } from "./services/postgres.ts";
import { isResponding, type Service } from "./services/program.ts";
import { startRedis } from "./services/redis.ts";
import { startReference } from "./services/reference.ts";
import { ports } from "./settings.ts";

const stores = Number(process.env["STORES"] ?? 5_000);
const running: Service[] = [];
const ended = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve());
});

try {
  await start("Redis", ports.redis, () => startRedis(ports.redis));
  await start("PostgreSQL", ports.postgres, () => startPostgres(ports.postgres));
  await start(`a reference server with ${stores} stores`, ports.service, () =>
    startReference({ port: ports.service, stores, protocolsPerStore: 30, delay: 0 }),
  );
  console.log(
    "\nNow use another terminal: npm run demo starts a run, npm run board -- --demo starts bull-board. Ctrl-C stops all servers",
  );
  await ended;
} catch (error) {
  console.error(`up: ${describeError(error)}`);
  process.exitCode = 1;
} finally {
  for (const service of running.toReversed()) await service.stop();
}

/** Starts a server, unless one already listens on its port, such as that of docker compose. */
async function start(name: string, port: number, run: () => Promise<Service>): Promise<void> {
  if (await isResponding(port))
    return console.log(`${name}: using the server that already listens on port ${port}`);
  const service = await run();
  running.push(service);
  console.log(`${name}: 127.0.0.1:${port}`);
}
