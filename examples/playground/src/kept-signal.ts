import { effect, type Signal, signal } from "@preact/signals";

const PREFIX = "shelfleet-playground/1/";

/**
 * A signal whose value survives a reload, in this browser tab. A stored value that `accepts` rejects, and a browser
 * without session storage, give the initial value.
 */
export function keptSignal<Value>(
  name: string,
  initial: Value,
  accepts: (value: unknown) => value is Value,
): Signal<Value> {
  const stored = read(name);
  const kept = signal(accepts(stored) ? stored : initial);
  effect(() => {
    write(name, kept.value);
  });
  return kept;
}

function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

function write(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // without free session storage, the page works, but a reload resets it
  }
}

/** Whether a value is an object whose properties all pass a test. */
export function isRecordOf<Value>(
  value: unknown,
  accepts: (property: unknown, name: string) => property is Value,
): value is Record<string, Value> {
  return isRecord(value) && Object.entries(value).every(([name, property]) => accepts(property, name));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}
