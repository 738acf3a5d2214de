import { isHeaderName, isHeaderValue } from "../../../wire/header-text.ts";
import { hidesProperties, isObject } from "../../../wire/json.ts";
import { ConfigurationError } from "../errors/errors.ts";

/** Validates additional headers and returns them with lower-case names without duplicates. Messages quote no value. */
export function checkHeaders(headers: unknown): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of entriesOf(headers)) {
    if (value === undefined) continue;
    if (!isHeaderName(name))
      throw new ConfigurationError(`headers: ${JSON.stringify(name)} is not a valid header name`);
    if (name.toLowerCase() === "authorization") {
      throw new ConfigurationError("headers: Authorization is set from the token or key");
    }
    if (typeof value !== "string" || !isHeaderValue(value)) {
      throw new ConfigurationError(`headers: the value of ${name} cannot be sent in a header`);
    }
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

function entriesOf(headers: unknown): Iterable<[string, unknown]> {
  if (headers === undefined) return [];
  if (headers instanceof Headers) return headers.entries();
  // the entries of a `Map` and the getters of a class would be ignored
  if (isObject(headers) && !hidesProperties(headers)) return Object.entries(headers);
  throw new ConfigurationError("headers must be an object of names and values, or Headers");
}
