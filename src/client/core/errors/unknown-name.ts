import { isObject } from "../../../wire/json.ts";
import { describeKnownNames } from "../../../wire/similar-name.ts";
import { ConfigurationError } from "./errors.ts";

/**
 * Throws for a name that is not known. The message contains the name that was probably meant.
 * @param problem the beginning of the message: `Unknown option`
 * @param ignored further names that are allowed, and that the message does not contain
 */
export function checkNames(
  problem: string,
  given: object,
  known: readonly string[],
  ignored: readonly string[] = [],
): void {
  if (!isObject(given))
    throw new ConfigurationError(`${problem.replace(/unknown (.*)/i, "the $1s")} must be an object`);
  const unknown = Object.keys(given).find((name) => !known.includes(name) && !ignored.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`${problem} "${unknown}"${describeKnownNames(unknown, known)}`);
}
