/** The levels of a log, from the most detailed to the least. */
export type LogLevel = "debug" | "info" | "warn" | "error";

export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The target of a log: `console`, or a logger such as pino or winston. */
export interface Logger {
  /** Writes bodies, redacted and shortened. */
  debug(message: string): void;
  /** Writes each request with its status and duration. */
  info(message: string): void;
  /** Writes responses with a status of 400 to 499, and changes of numbered lists during a walk. */
  warn(message: string): void;
  /** Writes responses with a status of 500 or more, and failed requests. */
  error(message: string): void;
}
