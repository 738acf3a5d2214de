import { isObject } from "../../internal/json.ts";
import type { Hooks } from "../options/options.ts";

/** The hooks of clients whose first failure was written to the console. */
const reported = new WeakSet<Hooks>();

/** Calls a hook. What it throws or rejects with is reported and goes no further. */
export function notify<Name extends keyof Hooks>(
  hooks: Hooks,
  name: Name,
  event: Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  try {
    const hook = hooks[name] as ((event: unknown) => unknown) | undefined; // takes the event of its own name
    const result = hook?.call(hooks, event);
    if (isObject(result) && typeof result.then === "function")
      void Promise.resolve(result).catch((error: unknown) => reportHookError(hooks, error, name));
  } catch (error) {
    reportHookError(hooks, error, name);
  }
}

/** Tells `onHookError` that a hook failed; without one, writes the first failure to the console. */
export function reportHookError(hooks: Hooks, error: unknown, hook: string): void {
  try {
    if (hooks.onHookError !== undefined) return hooks.onHookError(error, hook);
  } catch {
    // reported below
  }
  if (reported.has(hooks)) return;
  reported.add(hooks);
  // oxlint-disable-next-line no-console -- the only place left where somebody would see it
  console.error(`shelfleet: ${hook} failed; further failures of hooks are not shown:`, error);
}
