/** The levels of a log, the most talkative first. */
export type LogLevel = "debug" | "info" | "warn" | "error";

export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Where the log is written: `console`, or a logger of pino, winston and the like. */
export interface Logger {
  /** Bodies, redacted and cut. */
  debug(message: string): void;
  /** Each request with its status and duration. */
  info(message: string): void;
  /** Retries. */
  warn(message: string): void;
  /** Calls that failed. */
  error(message: string): void;
}
