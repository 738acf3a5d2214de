import { ConfigurationError } from "./errors.ts";
import { isObject } from "./json.ts";

const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Checks further headers and writes their names in lower case, so that none stands twice. Quotes no value. */
export function checkHeaders(headers: unknown): Record<string, string> {
  const checked: Record<string, string> = {};
  // the entries of a `Headers` or a `Map` are not its members: they would be lost
  const isRecord = isObject(headers) && !(Symbol.iterator in headers);
  if (headers !== undefined && !isRecord)
    throw new ConfigurationError("headers must be an object of names and values");
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!headerName.test(name))
      throw new ConfigurationError(`headers: ${JSON.stringify(name)} is not a header name`);
    if (name.toLowerCase() === "authorization") {
      throw new ConfigurationError("headers: Authorization is set from the token or key");
    }
    if (typeof value !== "string" || !headerValue.test(value)) {
      throw new ConfigurationError(`headers: the value of ${name} cannot be sent in a header`);
    }
    checked[name.toLowerCase()] = value;
  }
  return checked;
}
