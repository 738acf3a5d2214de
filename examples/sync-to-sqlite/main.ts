import { resolve } from "node:path";
import { FleetClient, StoreClient, type Transport } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { readCommandLine, type Settings, usage } from "./command-line.ts";
import { type Start, SyncDatabase } from "./database.ts";
import { explain, Interrupted } from "./failure.ts";
import { count, Progress } from "./progress.ts";
import { openService, type Service } from "./service.ts";
import { rate, summary } from "./summary.ts";
import { IncompleteError, sync, type Tally } from "./sync.ts";

/** The range of the protocols of the first run without --since, in ms. */
const defaultRange = 28 * 86_400_000;

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
  const service = await openService(settings);
  try {
    const clients = makeClients(service, settings.transport);
    const database = new SyncDatabase(resolve(db));
    try {
      await copy(database, service, clients, settings);
    } finally {
      database.close();
    }
  } finally {
    await service.stop();
  }
}

async function copy(
  database: SyncDatabase,
  { name, now }: Service,
  clients: ReturnType<typeof makeClients>,
  settings: Settings,
): Promise<void> {
  const { tally } = clients;
  const { since = new Date(now().getTime() - defaultRange).toISOString() } = settings;
  const start = database.begin(name, since);
  progress.line(describe(start, name, database));
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const onPage = (): void => {
    progress.show(() => ({ ...database.progress(), ...tally, rowsPerSecond: rate(tally, seconds()) }));
  };
  const { concurrency, pageSize } = settings;
  const { signal } = interruption;
  await sync({
    ...clients,
    database,
    since: new Date(start.since),
    now,
    concurrency,
    pageSize,
    signal,
    onPage,
  });
  conclude(tally, seconds(), database);
  progress.line(`sent with ${settings.transport}`);
}

function makeClients({ store, fleet, resolve: reach }: Service, transport: Settings["transport"]) {
  const tally: Tally = {
    stores: 0,
    protocols: 0,
    fleet: 0,
    deleted: 0,
    requests: 0,
    retries: 0,
    gone: 0,
    failed: [],
  };
  const hooks = {
    onRequest: () => void (tally.requests += 1),
    onRetry: () => void (tally.retries += 1),
  };
  const options = { hooks, ...(transport === "undici" ? throughUndici(reach) : throughFetch(reach)) };
  return {
    tally,
    store: new StoreClient({ ...store, ...options }),
    fleet: fleet && new FleetClient({ ...fleet, ...options }),
  };
}

function throughUndici(reach: Service["resolve"]) {
  const send = nodeTransport();
  const transport: Transport = (request) => send({ ...request, url: reach(request.url) });
  return { transport };
}

function throughFetch(reach: Service["resolve"]) {
  return { fetch: (url: string, init: RequestInit) => fetch(reach(url), init) };
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

function describe({ kind }: Start, source: string, database: SyncDatabase): string {
  if (kind === "new") return `copying ${source} into ${db}`;
  const { done, of } = database.progress();
  const { stores, protocols } = database.counts();
  const rows = `it holds ${count(stores)} stores, ${count(protocols)} protocols`;
  if (kind === "resumed") return `resuming in ${db}: ${count(done)} of ${count(of)} stores done, ${rows}`;
  return `reading what is new into ${db}: ${rows}`;
}
