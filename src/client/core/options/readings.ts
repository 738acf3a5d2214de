import { hidesProperties, isObject } from "../../../wire/json.ts";
import { hash } from "../../../wire/hash.ts";
import { ConfigurationError } from "../errors/errors.ts";

type Choices = Readonly<Record<string, readonly string[]>>;

/**
 * Validates readings: every gap must exist, and those of the client must have the given reading. Also accepts a whole
 * readings file. Gaps that do not concern this client are ignored.
 */
export function checkReadings<Own extends Choices>(
  clientReadings: Own,
  checksums: readonly number[],
  given: object | undefined,
): { [Gap in keyof Own]?: Own[Gap][number] } {
  const readings = unwrapFile(given);
  checkChoices("readings", clientReadings, readings, checksums);
  const relevant = Object.keys(clientReadings).flatMap((gap) =>
    readings[gap] === undefined ? [] : [[gap, readings[gap]]],
  );
  return Object.fromEntries(relevant) as { [Gap in keyof Own]?: Own[Gap][number] }; // checked above
}

function unwrapFile(given: object = {}): Record<string, unknown> {
  if (!isObject(given)) throw new ConfigurationError("readings must be an object");
  if (!("version" in given)) return given;
  if (given.version === 1 && isObject(given.readings)) return given.readings;
  throw new ConfigurationError("readings must be a readings file of version 1, with the property `readings`");
}

/** Rejects unknown names and values. A name whose checksum is known concerns another client or the reference server. */
export function checkChoices(
  option: string,
  known: Choices,
  given: object = {},
  checksums: readonly number[] = [],
): void {
  // the entries of a `Map` would be ignored
  if (!isObject(given) || hidesProperties(given)) throw new ConfigurationError(`${option} must be an object`);
  for (const [name, value] of Object.entries(given)) {
    const choices = Object.hasOwn(known, name) ? known[name] : undefined;
    if (choices === undefined && hasChecksum(name, checksums)) continue;
    if (choices === undefined)
      throw new ConfigurationError(`${option}: unknown gap "${name}". See the export gaps of shelfleet/gaps`);
    if (value !== undefined && !choices.some((choice) => choice === value))
      throw new ConfigurationError(`${option}: "${name}" must be one of ${choices.join(", ")}`);
  }
}

/** Whether the checksum of a name is known. @param differences those between the sorted checksums */
function hasChecksum(name: string, differences: readonly number[]): boolean {
  const wanted = hash(name) % 2 ** 22;
  let sum = 0;
  return differences.some((difference) => (sum += difference) === wanted);
}
