import { isObject } from "../../wire/json.ts";
import type { Redactor } from "./redaction.ts";

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
