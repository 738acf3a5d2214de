import { ConfigurationError } from "./errors.ts";
import { type Log, logLevels, logTo } from "./log.ts";

/** Environment variables: `process.env`, or an object of the same form. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process; empty on a platform without one. */
export function processEnvironment(): Environment {
  // no type of the language describes it
  const { process } = globalThis as { process?: { env?: Environment } };
  return process?.env ?? {};
}

/** Returns the value of a variable; undefined if it is not set or empty. */
export function readVariable(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** Returns the value of a variable that must be set. */
export function requireVariable(env: Environment, name: string): string {
  const value = readVariable(env, name);
  if (value === undefined) throw new ConfigurationError(`The environment variable ${name} is not set`);
  return value;
}

/** Returns the options that `SHELFLEET_LOG` sets: a console log from the given level. */
export function readLogOptions(env: Environment): { log?: Log } {
  const value = readVariable(env, "SHELFLEET_LOG");
  if (value === undefined) return {};
  const level = logLevels.find((known) => known === value.toLowerCase());
  if (level === undefined)
    throw new ConfigurationError(`SHELFLEET_LOG must be one of ${logLevels.join(", ")}`);
  return { log: logTo(console, level) };
}
