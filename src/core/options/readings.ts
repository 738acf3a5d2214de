import { ConfigurationError } from "../errors/errors.ts";

/** Checks choices by name, such as readings of gaps; left out ones are the first that is known. */
export function checkChoices<Known extends Readonly<Record<string, readonly [string, ...string[]]>>>(
  option: string,
  known: Known,
  given: object | undefined,
): { [Name in keyof Known]: Known[Name][number] } {
  for (const [name, value] of Object.entries(given ?? {})) {
    const choices = Object.hasOwn(known, name) ? known[name] : undefined;
    if (choices === undefined) {
      throw new ConfigurationError(
        `${option}: this client has no choice named "${name}"; it has ${Object.keys(known).join(", ")}`,
      );
    }
    if (value !== undefined && !choices.includes(value as string)) {
      throw new ConfigurationError(
        `${option}: "${name}" is one of ${choices.join(", ")}, not ${String(value)}`,
      );
    }
  }
  const chosen = Object.entries(known).map(([name, [first]]) => [
    name,
    (given as Record<string, string> | undefined)?.[name] ?? first,
  ]);
  return Object.fromEntries(chosen) as { [Name in keyof Known]: Known[Name][number] }; // one for each name that is known
}
