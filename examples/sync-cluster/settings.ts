/** The settings of a worker. They must be the same for all workers. */
export interface Settings {
  redisUrl: string;
  databaseUrl: string;
  /** The beginning of all keys in Redis. */
  prefix: string;
  /** The start of the first pulls. */
  since: Date;
  /** The time between two rounds, in ms. */
  every: number;
  /** Requests per second of all workers together. */
  perSecond: number;
  /** The number of jobs that a worker runs at the same time. */
  concurrency: number;
  /** The time without a sign of life after which other workers take a worker's jobs, in ms. */
  lockMs: number;
}

/** Reads the settings from environment variables. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const required = (name: string): string => {
    const value = env[name];
    if (value === undefined || value === "") throw new Error(`the environment variable ${name} is not set`);
    return value;
  };
  const number = (name: string, value: number): number => {
    const given = Number(env[name] ?? value);
    if (!(given > 0)) throw new Error(`the environment variable ${name} must be a number above 0`);
    return given;
  };
  const since = new Date(env["SYNC_SINCE"] ?? Date.now() - 30 * 86_400_000);
  if (Number.isNaN(since.getTime())) throw new Error("the environment variable SYNC_SINCE must be a date");
  return {
    redisUrl: required("REDIS_URL"),
    databaseUrl: required("DATABASE_URL"),
    prefix: env["SYNC_PREFIX"] ?? "shelfleet",
    since,
    every: number("SYNC_EVERY_SECONDS", 900) * 1000,
    perSecond: number("SYNC_PER_SECOND", 20),
    concurrency: number("SYNC_CONCURRENCY", 8),
    lockMs: number("SYNC_LOCK_SECONDS", 30) * 1000,
  };
}
