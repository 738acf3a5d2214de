import { storeQueryLimits } from "../../src/index.ts";

/** Where everything is, and how hard it may work. All of it comes from the environment, so that machines can share it. */
export interface Settings {
  service: { baseUrl: string; token: string; allowInsecure: boolean };
  redisUrl: string;
  databaseUrl: string;
  /** Begins the name of every key in Redis: two syncs can share a server. */
  prefix: string;
  /** The range of a run that begins; left out, the last `days`. */
  from: string | undefined;
  to: string | undefined;
  days: number;
  /** Jobs that one worker works on at a time. */
  concurrency: number;
  /** Items a request asks for; at most the maximum of each list. */
  pageSize: number;
  /** Requests a second that all workers send together; 0: as many as they can. */
  rate: number;
  /** Failures that got no page further, after which a job is a dead letter. */
  attempts: number;
  /** The wait in ms after the first of them; it doubles. */
  backoff: number;
  /** After how many ms a worker that shows no sign of life loses its jobs to the others. */
  lock: number;
  boardPort: number;
}

/** Where `npm run up` puts things; others than the usual ones, which may be taken. */
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
    throw new SettingsError("SHELFLEET_TOKEN is missing");
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
