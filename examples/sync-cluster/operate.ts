import { type Database, migrate, openDatabase } from "./database/connection.ts";
import { type DeadLetter, deadLetters, retryDeadLetters } from "./database/dead-letters.ts";
import { abandonRun, describeRun } from "./database/runs.ts";
import { setSkipped } from "./database/stores.ts";
import { oneLine } from "./failure.ts";
import type { Log } from "./log.ts";
import { type Settings, SettingsError } from "./settings.ts";
import { count } from "./view.ts";

interface Connection {
  settings: Settings;
  log: Log;
}

/** Lists the dead letters of all stores or of one, or schedules them again. */
export function dead(connection: Connection, isRetry: boolean, store?: string): Promise<string> {
  return withDatabase(connection, async (db) => {
    const letters = await deadLetters(db, store);
    if (letters.length === 0) return "there are no dead letters";
    if (!isRetry) return letters.map(describe).join("\n");
    const again = await retryDeadLetters(db, store);
    const scheduled = new Set(again.map(describe));
    const others = letters.filter((letter) => !scheduled.has(describe(letter)));
    return [
      `${count(again.length)} dead letters scheduled again; npm run sync continues with them`,
      ...others.map((letter) => `run the backfill again: ${describe(letter)}`),
    ].join("\n");
  });
}

function describe({ externalId, kind, runId, reason, range }: DeadLetter): string {
  const of = range === undefined ? `run ${runId}` : `backfill ${range.from} to ${range.to}`;
  return oneLine(`${externalId} ${kind} (${of}): ${reason}`);
}

export function skip(connection: Connection, isUndo: boolean, store: string): Promise<string> {
  return withDatabase(connection, async (db) => {
    if (!(await setSkipped(db, store, !isUndo)))
      throw new SettingsError(`No store has the external ID ${store}`);
    return isUndo
      ? `${store} is included again`
      : `${store} is excluded from all runs; skip ${store} --undo includes it`;
  });
}

export function abandon(connection: Connection): Promise<string> {
  return withDatabase(connection, async (db) => {
    const run = await abandonRun(db);
    return run === undefined
      ? "there is no unfinished run"
      : `${describeRun(run)} has ended; its rows are kept`;
  });
}

async function withDatabase<T>({ settings, log }: Connection, run: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(settings.databaseUrl, 1, log);
  try {
    await migrate(db);
    return await run(db);
  } finally {
    await db.destroy();
  }
}
