import type { Hooks } from "./hooks.ts";
import type { Log, LogLevel } from "./log.ts";

/** What observes and has failed: its first failure was written to the console. */
const reported = new WeakSet<object>();

/** Writes the first failure of what observes to the console. */
export function reportFailure(observer: object, name: string, error: unknown): void {
  if (reported.has(observer)) return;
  reported.add(observer);
  // oxlint-disable-next-line no-console -- the only place where a user can see it
  console.error(`shelfleet: ${name} failed; its further failures are not shown:`, error);
}

/** Calls what observes. An error that it throws or rejects with changes nothing; the first one is shown. */
export function callObserver(observer: object, name: string, call: () => unknown): void {
  try {
    const result = call();
    if (typeof (result as PromiseLike<unknown> | undefined)?.then === "function")
      Promise.resolve(result).catch((error: unknown) => reportFailure(observer, name, error));
  } catch (error) {
    reportFailure(observer, name, error);
  }
}

/** Writes a line to a log. */
export function writeLog(log: Log | undefined, level: LogLevel, line: string): void {
  if (log !== undefined) callObserver(log, "log", () => log.write(level, line));
}

/** Calls a hook of each object. An error that it throws or rejects with changes nothing; the first one is shown. */
export function notify<Name extends keyof Hooks>(
  hooks: readonly Hooks[],
  name: Name,
  createEvent: () => Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  for (const observer of hooks) {
    const hook = observer[name] as ((event: unknown) => unknown) | undefined; // each takes the event of its name
    if (hook !== undefined) callObserver(observer, name, () => hook.call(observer, createEvent()));
  }
}
