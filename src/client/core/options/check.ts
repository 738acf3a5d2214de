import { ConfigurationError } from "../errors/errors.ts";

/** Rejects a value that is given and does not fit. */
export function check(message: string, value: unknown, fits: (value: unknown) => boolean): void {
  if (value !== undefined && !fits(value)) throw new ConfigurationError(message);
}
