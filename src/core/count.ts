import { InvalidRequestError } from "./errors/errors.ts";

/** An option of a walk that counts something. */
export function count(doing: string, path: string, value: unknown, least = 0): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidRequestError(doing, [{ path, message: `must be a whole number, ${least} or more` }]);
}
