import { isObject, parseJson } from "./json.ts";
import type { Redactor } from "./redaction.ts";

/** Parses JSON and returns it without the secrets; undefined if the text is not JSON or is nested too deeply. */
export function parseRedacted(text: string, redactor: Redactor): unknown {
  const value = parseJson(text);
  // a search in the whole text is faster than one in each value
  return redactor.redact(text) === text ? value : redactValue(value, redactor);
}

/** Returns a JSON value without the secrets: in strings, in names of properties, and in numbers. */
export function redactValue(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string" || typeof value === "number") {
    const text = redactor.redact(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redactor));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [redactor.redact(name), redactValue(inner, redactor)]),
  );
}
