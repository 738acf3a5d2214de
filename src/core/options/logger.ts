/** The levels of a log, the most talkative first. */
export type LogLevel = "debug" | "info" | "warn" | "error";

export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Where the log is written: `console`, or a logger of pino, winston and the like. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
