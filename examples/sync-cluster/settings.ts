import { storeQueryLimits } from "../../src/index.ts";

/** The URLs of the servers and the limits of the workers, read from environment variables on each machine. */
export interface Settings {
  service: { baseUrl: string; token: string; allowInsecure: boolean };
  redisUrl: string;
  databaseUrl: string;
  /** The prefix of every Redis key. Two syncs with different prefixes can share a server. */
  prefix: string;
  /** The time range of a new run. The default is the last `days`. */
  from: string | undefined;
  to: string | undefined;
  days: number;
  /** The number of concurrent jobs of one worker. */
  concurrency: number;
  /** The number of items per request, limited to the maximum of each list. */
  pageSize: number;
  /** The requests per second of all workers together; 0 for no limit. */
  rate: number;
  /** The number of attempts without a saved page after which a job becomes a dead letter. */
  attempts: number;
  /** The wait in ms after the first failed attempt, doubled each time. */
  backoff: number;
  /** The time in ms without a sign of life after which other workers take the jobs of a worker. */
  lock: number;
  boardPort: number;
}

/** The ports of `npm run up`. They differ from the default ports, which may be in use. */
export const ports = { redis: 6390, postgres: 5490, service: 4490, board: 4491 };

/** The reference server's token and PostgreSQL's password, used only on this machine. */
export const demo = { token: "token-of-the-example", password: "sync" };

/** A setting is wrong. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws {SettingsError} */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { SHELFLEET_BASE_URL: baseUrl = `http://127.0.0.1:${ports.service}`, SHELFLEET_TOKEN: token } = env;
  if (env["SHELFLEET_BASE_URL"] !== undefined && !token)
    throw new SettingsError("SHELFLEET_TOKEN is missing. SHELFLEET_BASE_URL requires it");
  return {
    service: { baseUrl, token: token ?? demo.token, allowInsecure: env["SHELFLEET_ALLOW_INSECURE"] === "1" },
    redisUrl: env["REDIS_URL"] ?? `redis://127.0.0.1:${ports.redis}`,
    databaseUrl: env["DATABASE_URL"] ?? `postgres://sync:${demo.password}@127.0.0.1:${ports.postgres}/sync`,
    prefix: env["SYNC_PREFIX"] ?? "shelfleet",
    from: instant(env, "SYNC_FROM"),
    to: instant(env, "SYNC_TO"),
    days: whole(env, "SYNC_DAYS", 30, 1),
    concurrency: whole(env, "SYNC_CONCURRENCY", 16, 1),
    pageSize: whole(env, "SYNC_PAGE_SIZE", storeQueryLimits.listPhotos.limit.maximum, 1),
    rate: whole(env, "SYNC_RATE", 0, 0),
    attempts: whole(env, "SYNC_ATTEMPTS", 5, 1),
    backoff: whole(env, "SYNC_BACKOFF_MS", 1_000, 1),
    lock: whole(env, "SYNC_LOCK_MS", 15_000, 500),
    boardPort: whole(env, "SYNC_BOARD_PORT", ports.board, 0),
  };
}

function whole(env: NodeJS.ProcessEnv, name: string, fallback: number, minimum: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new SettingsError(`${name} must be an integer of at least ${minimum}`);
}

function instant(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString();
  throw new SettingsError(`${name} must be ISO 8601 with an offset or Z, such as 2026-01-31T00:00:00Z`);
}
