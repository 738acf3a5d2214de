import { checkSendable, type CredentialSource } from "./credential.ts";
import { ConfigurationError } from "./errors.ts";
import { type Log, logLevels, logTo } from "./log.ts";

/** Environment variables: `process.env`, or an object of the same form. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is used of `process`, which not every platform has, and which no type of the language describes. */
interface Process {
  readonly env?: Environment;
  getBuiltinModule?(module: "node:fs"): { readFileSync(file: string, encoding: "utf8"): string } | undefined;
}

function currentProcess(): Process {
  return (globalThis as { process?: Process }).process ?? {};
}

/** The environment of the process; empty on a platform without one. */
export function processEnvironment(): Environment {
  return currentProcess().env ?? {};
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

/**
 * Returns the token or key that a variable contains, or a function that reads it from the file that `<name>_FILE` names. The
 * file is read now, and again after its content was rejected with 401.
 * @param noun the name of the secret in messages
 */
export function readCredential(env: Environment, name: string, noun: string): CredentialSource {
  const secret = readVariable(env, name);
  const file = readVariable(env, `${name}_FILE`);
  if (secret !== undefined && file !== undefined)
    throw new ConfigurationError(`Only one of the environment variables ${name} and ${name}_FILE may be set`);
  if (secret !== undefined) return secret;
  if (file === undefined)
    throw new ConfigurationError(`Neither of the environment variables ${name} and ${name}_FILE is set`);
  const read = (): string => readSecretFile(`${name}_FILE`, file);
  let current = read();
  checkSendable(`${noun} in the file of ${name}_FILE`, current);
  return ({ refused }) => {
    // another call may have read the new one
    if (refused === current) current = read();
    return current;
  };
}

/** Reads a file on Node, Bun or Deno. An import of `node:fs` would break bundles for browsers. */
function readSecretFile(name: string, file: string): string {
  const files = currentProcess().getBuiltinModule?.("node:fs");
  if (files === undefined) throw new ConfigurationError(`${name} needs Node, Bun or Deno, which read files`);
  try {
    return files.readFileSync(file, "utf8").trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`The file of ${name} cannot be read: ${reason}`);
  }
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
