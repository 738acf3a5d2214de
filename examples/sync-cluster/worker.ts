import { type Job, Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import type { Pool } from "pg";
import { type ClientOptions, FleetClient, type FleetClientOptions, StoreClient } from "shelfleet";
import type { StoreClientOptions } from "shelfleet";
import { type MirrorResult, mirror, postgresSink, pullStores, type Sink } from "shelfleet/sync";
import { beginRound, findStores, openDatabase, recordResult } from "./database.ts";
import { sharedLimit } from "./limit.ts";
import type { Settings } from "./settings.ts";

/** The longest time after its instant at which a protocol may still appear, in ms. */
const allowedLateness = 3_600_000;

const lists = ["vehicles", "inspections", "damages"] as const;

/** A job: the list of stores, the protocols of a store, or a list of the fleet. Its name is its ID in the queue. */
export interface Task {
  name: string;
  externalId?: string;
}

/** The options of the clients, such as those of a reference server. */
export interface Services {
  store: StoreClientOptions;
  fleet: FleetClientOptions;
}

/** A worker that runs. */
export interface RunningWorker {
  /** Takes no further job and waits for those in progress. */
  close(): Promise<void>;
}

/** Starts a worker: it begins rounds that are due, and runs jobs of all rounds. */
export async function startWorker(
  services: Services,
  settings: Settings,
  log: (line: string) => void,
): Promise<RunningWorker> {
  const { prefix, concurrency, lockMs, every } = settings;
  const db = await openDatabase(settings.databaseUrl);
  // as BullMQ needs it: commands wait until Redis is reachable again
  const redis = new Redis(settings.redisUrl, { maxRetriesPerRequest: null });
  redis.on("error", (error) => log(`Redis: ${error.message}`));
  const queue = new Queue<Task>("sync", { connection: redis, prefix });
  queue.on("error", () => {}); // that of the connection
  const shared: ClientOptions = {
    limiter: sharedLimit(redis, prefix, settings.perSecond),
    maxConcurrency: 16,
  };
  const context: Context = {
    db,
    protocols: postgresSink(db, "protocols"),
    queue,
    since: settings.since,
    store: new StoreClient({ ...services.store, ...shared }),
    fleet: new FleetClient({ ...services.fleet, ...shared }),
  };
  const run = async ({ data }: Job<Task>): Promise<void> => {
    try {
      log(`${data.name}: ${await runTask(data, context)}`);
      await recordResult(db, data.name, undefined);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log(`${data.name} failed: ${message}`);
      // the database may be what failed
      await recordResult(db, data.name, message).catch(() => {});
      throw error;
    }
  };
  const worker = new Worker<Task>("sync", run, {
    connection: redis,
    prefix,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    // a job whose worker was killed is taken by another one, as often as it takes
    maxStalledCount: 1000,
  });
  worker.on("error", () => {}); // the connection is restored
  let isStarting = false;
  const timer = setInterval(() => void startRound(), Math.min(every / 4, 10_000));
  void startRound();
  return {
    close: async () => {
      clearInterval(timer);
      await worker.close();
      await queue.close();
      redis.disconnect();
      await db.end();
    },
  };

  /** Begins a round if one is due. PostgreSQL decides, so that a round also begins if Redis has lost everything. */
  async function startRound(): Promise<void> {
    if (isStarting) return;
    isStarting = true;
    try {
      if (await beginRound(db, every))
        await addJobs(queue, [{ name: "stores" }, ...lists.map((name) => ({ name }))]);
    } catch (error) {
      log(`no round was begun: ${String(error)}`);
    } finally {
      isStarting = false;
    }
  }
}

interface Context {
  db: Pool;
  protocols: Sink;
  queue: Queue<Task>;
  store: StoreClient;
  fleet: FleetClient;
  since: Date;
}

/** Adds jobs. One that is already in the queue is not added again. */
async function addJobs(queue: Queue<Task>, tasks: Task[]): Promise<void> {
  const backoff = { type: "exponential", delay: 1000 };
  await queue.addBulk(
    tasks.map((task) => ({
      name: task.name,
      data: task,
      // a finished job with the same ID would block the next round's; BullMQ allows no colon in an ID
      opts: {
        jobId: encodeURIComponent(task.name),
        attempts: 5,
        backoff,
        removeOnComplete: true,
        removeOnFail: true,
      },
    })),
  );
}

/** Runs a job. Each continues after the last page that was saved, in whatever process. */
async function runTask({ name, externalId }: Task, context: Context): Promise<string> {
  const { db, queue, store, fleet } = context;
  if (externalId !== undefined) return pullProtocols(externalId, context);
  switch (name) {
    case "stores": {
      const result = await mirror(store.stores, postgresSink(db, name));
      const stores = await findStores(db);
      await addJobs(
        queue,
        stores.map((id) => ({ name: `protocols/${id}`, externalId: id })),
      );
      return describe(result);
    }
    case "vehicles":
      return describe(await mirror(fleet.vehicles, postgresSink(db, name)));
    case "inspections":
      return describe(await mirror(fleet.inspections, postgresSink(db, name), { details: true }));
    case "damages":
      return describe(await mirror(fleet.damages, postgresSink(db, name), { details: true }));
    default:
      throw new Error(`an unknown job: ${name}`);
  }
}

function describe({ read, added, changed, deleted }: MirrorResult): string {
  return `${read} read: ${added} new, ${changed} changed, ${deleted} deleted`;
}

async function pullProtocols(externalId: string, { protocols, store, since }: Context): Promise<string> {
  const options = { stores: [externalId], since, allowedLateness, details: true };
  const { items, skipped } = await pullStores(store, "protocols", protocols, options);
  return skipped > 0 ? "the store was deleted" : `${items} new or changed`;
}
