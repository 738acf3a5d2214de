import { isHeaderName, isHeaderValue } from "../wire/header.ts";
import { isObject } from "../wire/json.ts";
import { hasMethods, requireValue } from "./option-rules.ts";

/** Headers that the client or the connection sets: with a wrong one the service waits for a body that never ends. */
const reserved = new Set(["authorization", "content-length", "transfer-encoding", "connection", "host"]);

/** Validates additional headers and returns them with lower-case names; the last one of a name counts. Messages quote no value. */
export function checkHeaders(
  ...given: readonly (Record<string, string | undefined> | Headers | undefined)[]
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const headers of given) {
    if (headers === undefined) continue;
    requireValue("headers must be an object of names and values, or Headers", isObject(headers));
    const entries: Iterable<[string, string | undefined]> = hasMethods(headers, "entries", "get")
      ? (headers as Headers)
      : Object.entries(headers);
    for (const [mixed, value] of entries) {
      if (value === undefined) continue;
      const name = mixed.toLowerCase();
      requireValue(`headers: ${name} is set by the client`, !reserved.has(name));
      const isSendable = isHeaderName(name) && typeof value === "string" && isHeaderValue(value);
      requireValue(`headers: ${JSON.stringify(name)} or its value cannot be sent`, isSendable);
      checked[name] = value;
    }
  }
  return checked;
}

/** What the client reads of the headers of a response. The platform's `Headers` has it. */
export interface ResponseHeaders {
  /** Returns the value of a header; null if it is absent. */
  get(name: string): string | null;
  /** Calls a function for each header. */
  forEach(visit: (value: string, name: string) => void): void;
}

/** Returns the headers of a response of `fetch`. A test double may have none, an object, a `Map`, or only `get`. */
export function readHeaders(given: unknown): ResponseHeaders {
  if (isPlatformHeaders(given)) return given;
  if (!isIterable(given) && hasMethods(given, "get")) {
    const { get, forEach = () => {} } = given as {
      get: (name: string) => unknown;
    } & Partial<ResponseHeaders>;
    return { get: (name) => toText(get.call(given, name)), forEach: forEach.bind(given) };
  }
  const headers = new Headers();
  for (const [name, value] of isIterable(given) ? given : Object.entries(given ?? {})) {
    const text = toText(value);
    if (text !== null && isHeaderName(String(name)) && isHeaderValue(text))
      headers.append(String(name), text);
  }
  return headers;
}

/** Returns a value of a header as the platform writes it; null if it is not one. */
function toText(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Returns headers as the platform's object. */
export function toPlatformHeaders(headers: ResponseHeaders): Headers {
  if (isPlatformHeaders(headers)) return headers;
  const copied = new Headers();
  headers.forEach((value, name) => copied.append(name, value));
  return copied;
}

/** Whether a value is a `Headers` object, of any realm or of node-fetch. */
function isPlatformHeaders(value: unknown): value is Headers {
  return Object.prototype.toString.call(value) === "[object Headers]";
}

function isIterable(value: unknown): value is Iterable<[unknown, unknown]> {
  return typeof (value as Iterable<unknown> | undefined)?.[Symbol.iterator] === "function";
}
