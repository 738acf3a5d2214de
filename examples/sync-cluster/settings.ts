import { createHash } from "node:crypto";
import { storeQueryLimits } from "../../src/index.ts";

/** The URLs of the servers and the limits of the workers, read from environment variables on each machine. */
export interface Settings {
  service: { baseUrl: string; token: string; allowInsecure: boolean };
  /** The fleet inspection API, if it is also copied. */
  fleet: { baseUrl: string; key: string; allowInsecure: boolean } | undefined;
  redisUrl: string;
  databaseUrl: string;
  /** The prefix of every Redis key. It contains the database and the service, so that no worker takes a job of others. */
  prefix: string;
  /** The start of the first pull of a store (the last `days`). */
  since: string | undefined;
  days: number;
  /** The longest time in ms after its instant at which an item may still appear. */
  allowedLateness: number;
  /** The time in hours within which every store is read again. A store with new items is read in every run. */
  period: number;
  /** The number of concurrent jobs of one worker. */
  concurrency: number;
  /** The number of items per request, limited to the maximum of each list. */
  pageSize: number;
  /** The requests per second of all workers together; 0 for no limit. */
  rate: number;
  /** The number of failures without a saved page after which a job becomes a dead letter. */
  attempts: number;
  /** The wait in ms after the first failure, doubled each time. */
  backoff: number;
  /** The time in ms without a successful response after which the run stops. */
  patience: number;
  /** The share of stores, in percent, that may disappear in one run. */
  maxDeleted: number;
  /** The time in ms without a sign of life after which other workers take the jobs of a worker. */
  lock: number;
  /** The number of finished runs that are kept. */
  keepRuns: number;
  boardPort: number;
  /** The port of `/healthz` and `/metrics` of a worker; 0: any free one. */
  httpPort: number | undefined;
}

/** The ports of `npm run up`. They differ from the default ports, which may be in use. */
export const ports = { redis: 6390, postgres: 5490, service: 4490, board: 4491 };

/** The reference server's token and PostgreSQL's password, used only on this machine. */
export const demo = { token: "token-of-the-example", password: "sync", key: `demo_${"0".repeat(64)}` };

/** The settings of `--demo`: the servers of `npm run up`. */
export const demoEnv: NodeJS.ProcessEnv = {
  SHELFLEET_BASE_URL: `http://127.0.0.1:${ports.service}`,
  SHELFLEET_TOKEN: demo.token,
  SHELFLEET_FLEET_URL: `http://127.0.0.1:${ports.service}/api/third-party/v1`,
  SHELFLEET_KEY: demo.key,
  REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
  DATABASE_URL: `postgres://sync:${demo.password}@127.0.0.1:${ports.postgres}/sync`,
};

/** A setting is wrong. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws {SettingsError} */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const baseUrl = required(env, "SHELFLEET_BASE_URL").replace(/\/+$/, "");
  const databaseUrl = required(env, "DATABASE_URL");
  const allowInsecure = env["SHELFLEET_ALLOW_INSECURE"] === "1";
  const fleetUrl = env["SHELFLEET_FLEET_URL"];
  return {
    service: { baseUrl, token: required(env, "SHELFLEET_TOKEN"), allowInsecure },
    fleet: fleetUrl ? { baseUrl: fleetUrl, key: required(env, "SHELFLEET_KEY"), allowInsecure } : undefined,
    redisUrl: required(env, "REDIS_URL"),
    databaseUrl,
    prefix: `${env["SYNC_PREFIX"] ?? "shelfleet"}-${digestOf(databaseUrl, baseUrl)}`,
    since: instant(env, "SYNC_SINCE"),
    days: whole(env, "SYNC_DAYS", 30, 1),
    allowedLateness: whole(env, "SYNC_ALLOWED_LATENESS_MINUTES", 60, 1) * 60_000,
    period: whole(env, "SYNC_PERIOD_HOURS", 24, 0),
    concurrency: whole(env, "SYNC_CONCURRENCY", 16, 1),
    pageSize: whole(env, "SYNC_PAGE_SIZE", storeQueryLimits.listPhotos.limit.maximum, 1),
    rate: whole(env, "SYNC_RATE", 0, 0),
    attempts: whole(env, "SYNC_ATTEMPTS", 5, 1),
    backoff: whole(env, "SYNC_BACKOFF_MS", 1_000, 1),
    patience: whole(env, "SYNC_PATIENCE_MINUTES", 15, 1) * 60_000,
    maxDeleted: whole(env, "SYNC_MAX_DELETED_PERCENT", 5, 0),
    lock: whole(env, "SYNC_LOCK_MS", 15_000, 500),
    keepRuns: whole(env, "SYNC_KEEP_RUNS", 30, 1),
    boardPort: whole(env, "SYNC_BOARD_PORT", ports.board, 0),
    httpPort: env["SYNC_HTTP_PORT"] ? whole(env, "SYNC_HTTP_PORT", 0, 0) : undefined,
  };
}

/** Identifies the database and the service, without their credentials. */
function digestOf(databaseUrl: string, baseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return createHash("sha256").update(`${host}${pathname} ${baseUrl}`).digest("hex").slice(0, 12);
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new SettingsError(`${name} is missing. For the servers of npm run up, use --demo`);
}

function whole(env: NodeJS.ProcessEnv, name: string, fallback: number, minimum: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new SettingsError(`${name} must be an integer of at least ${minimum}`);
}

/** Returns an instant of ISO 8601 with an offset. */
export function parseInstant(name: string, text: string): string {
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString();
  throw new SettingsError(`${name} must be ISO 8601 with an offset or Z, such as 2026-01-31T00:00:00Z`);
}

function instant(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name];
  return text === undefined || text === "" ? undefined : parseInstant(name, text);
}
