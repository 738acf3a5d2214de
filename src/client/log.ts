import { hasMethods, requireValue } from "./option-rules.ts";

/** The levels of a log, from the most detailed to the least. */
export type LogLevel = "info" | "warn" | "error";

export const logLevels: readonly LogLevel[] = ["info", "warn", "error"];

/** The target of a log: `console`, or a logger such as pino or winston. */
export interface Logger {
  /** Writes each successful call, each retry, and calls that end with 404 or are aborted. */
  info(message: string): unknown;
  /** Writes changes of numbered lists during a walk. */
  warn(message: string): unknown;
  /** Writes each call that fails, once. */
  error(message: string): unknown;
}

/** The option `log` of a client. `logTo` creates it. */
export interface Log {
  /** Writes a line if its level is written. A failure changes no result; the first one is shown in the console. */
  write(level: LogLevel, line: string): unknown;
}

/**
 * Creates the option `log` of a client: one line for each call and each retry, never with a secret.
 * @param logger `console`, or a logger such as pino or winston
 * @param level the lowest level that is written
 * @throws {ConfigurationError} if the logger lacks a method, or for an unknown level
 * @example const store = new StoreClient({ baseUrl, token, log: logTo(console) });
 */
export function logTo(logger: Logger, level: LogLevel = "info"): Log {
  requireValue(`logTo: the level must be one of ${logLevels.join(", ")}`, logLevels.includes(level));
  requireValue(
    "logTo: the logger must be console, or an object with info, warn and error",
    hasMethods(logger, ...logLevels),
  );
  return {
    write(own, line) {
      return logLevels.indexOf(own) >= logLevels.indexOf(level) ? logger[own](line) : undefined;
    },
  };
}
