import { resolve } from "node:path";
import { StoreClient } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { readCommandLine, type Settings, usage } from "./command-line.ts";
import { type Start, SyncDatabase } from "./database.ts";
import { explain, Interrupted } from "./failure.ts";
import { count, Progress } from "./progress.ts";
import { openService, type Service } from "./service.ts";
import { rate, summary } from "./summary.ts";
import { IncompleteError, sync, type Tally } from "./sync.ts";

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interruption.abort(new Interrupted(signal)));
// whoever read the output has gone, or its disk is full
process.stdout.on("error", (error) => {
  report(error);
  interruption.abort(error);
});

const progress = new Progress(process.stdout, process.stdout.isTTY && process.env["TERM"] !== "dumb");
let db = "the database";

try {
  const settings = readCommandLine(process.argv.slice(2), process.env);
  if (settings === "help") progress.line(usage);
  else await run(settings);
} catch (error) {
  report(error);
}

function report(error: unknown): void {
  if (process.exitCode !== undefined) return; // the first one counts
  const failure = explain(error, db);
  if (failure === undefined) throw error;
  progress.clear();
  console.error(failure.line);
  process.exitCode = failure.exitCode;
}

async function run(settings: Settings): Promise<void> {
  db = settings.db;
  const service = await openService(settings.service);
  try {
    const tally = { stores: 0, protocols: 0, requests: 0, retries: 0, gone: 0, failed: [] };
    const client = makeClient(service, settings, tally);
    const database = new SyncDatabase(resolve(db));
    try {
      await copy(client, database, service, settings, tally);
    } finally {
      database.close();
    }
  } finally {
    await service.stop();
  }
}

function makeClient(
  { baseUrl, token, allowInsecure }: Service,
  settings: Settings,
  tally: Tally,
): StoreClient {
  const transport = settings.transport === "undici" ? nodeTransport() : undefined;
  const onRequest = (): void => {
    tally.requests += 1;
  };
  const onRetry = (): void => {
    tally.retries += 1;
  };
  return new StoreClient({ baseUrl, token, allowInsecure, transport, hooks: { onRequest, onRetry } });
}

async function copy(
  client: StoreClient,
  database: SyncDatabase,
  { name: source, now }: Service,
  settings: Settings,
  tally: Tally,
): Promise<void> {
  const start = database.begin({ ...settings, source, now });
  progress.line(describe(start, source, database));
  if (start.kind === "complete") return;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const onPage = (): void => {
    progress.show(() => ({ ...database.progress(), ...tally, rowsPerSecond: rate(tally, seconds()) }));
  };
  await sync({
    ...settings,
    client,
    database,
    range: start.range,
    signal: interruption.signal,
    tally,
    onPage,
  });
  conclude(tally, seconds(), database);
  progress.line(`sent with ${settings.transport}`);
}

function conclude(tally: Tally, seconds: number, database: SyncDatabase): void {
  const held = database.counts();
  progress.line(summary({ ...tally, seconds }, held));
  if (tally.gone > 0)
    progress.line(`stores that were deleted before their protocols were read: ${count(tally.gone)}`);
  // gap stores.null-external-id
  if (held.nameless > 0)
    progress.line(`stores without external ID, whose protocols cannot be requested: ${count(held.nameless)}`);
  if (tally.failed.length > 0) throw new IncompleteError(tally.failed);
}

function describe({ kind, range, finishedAt }: Start, source: string, database: SyncDatabase): string {
  const { done, of } = database.progress();
  const { stores, protocols } = database.counts();
  const rows = `${count(stores)} stores, ${count(protocols)} protocols`;
  const span = `${range.from} to ${range.to}`;
  if (kind === "new") return `copying ${source} into ${db}, protocols of ${span}`;
  if (kind === "resumed")
    return `resuming in ${db}: ${count(done)} of ${count(of)} stores done, it holds ${rows}`;
  return `${db} is complete since ${finishedAt}: ${rows} of ${span}; --anew starts another sync`;
}
