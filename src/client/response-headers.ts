import { hasMethods } from "./option-rules.ts";

/** What the client reads of the headers of a response. The platform's `Headers` has it. */
export interface ResponseHeaders {
  /** Returns the value of a header; null if it is absent. */
  get(name: string): string | null;
  /** Calls a function for each header. */
  forEach(visit: (value: string, name: string) => void): void;
}

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers with lower-case names. A `Headers` object costs more than the rest of reading a response. */
export class HeaderFields implements ResponseHeaders {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  get(name: string): string | null {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return typeof value === "object" ? value.join(", ") : (value ?? null);
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of Object.entries(this.#fields)) {
      // HTTP/2 has the status among the headers
      if (!name.startsWith(":")) for (const part of [value ?? []].flat()) visit(part, name);
    }
  }
}

/** Returns the headers of a response of `fetch`. A test double may have none, an object, a `Map`, or only `get`. */
export function readHeaders(given: unknown): ResponseHeaders {
  if (given instanceof HeaderFields || isPlatformHeaders(given)) return given;
  if (!isIterable(given) && !hasMethods(given, "forEach") && hasMethods(given, "get")) {
    const { get } = given as { get: (name: string) => unknown };
    return { get: (name) => toText(get.call(given, name)), forEach: () => {} };
  }
  const fields: Record<string, string> = {};
  for (const [name, value] of entriesOf(given)) {
    const key = String(name).toLowerCase();
    const text = toText(value);
    if (text !== null) fields[key] = key in fields ? `${fields[key]}, ${text}` : text;
  }
  return new HeaderFields(fields);
}

function entriesOf(given: unknown): Iterable<readonly [unknown, unknown]> {
  if (isIterable(given)) return given;
  if (!hasMethods(given, "forEach")) return Object.entries(given ?? {});
  const entries: [unknown, unknown][] = [];
  (given as Map<unknown, unknown>).forEach((value, name) => entries.push([name, value]));
  return entries;
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
