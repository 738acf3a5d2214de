import { isObject } from "../../internal/json.ts";
import type { Hooks } from "../options/options.ts";

/** The hooks of clients whose first failure was written to the console. */
const reported = new WeakSet<Hooks>();

/** Calls a hook. An error that it throws or rejects with is only reported. */
export function notify<Name extends keyof Hooks>(
  hooks: Hooks,
  name: Name,
  event: Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  try {
    const hook = hooks[name] as ((event: unknown) => unknown) | undefined; // each hook takes the event with its name
    const result = hook?.call(hooks, event);
    if (isObject(result) && typeof result.then === "function")
      void Promise.resolve(result).catch((error: unknown) => reportHookError(hooks, error, name));
  } catch (error) {
    reportHookError(hooks, error, name);
  }
}

/** Reports a hook's failure to `onHookError`; without one, writes the first failure to the console. */
export function reportHookError(hooks: Hooks, error: unknown, hook: string): void {
  try {
    if (hooks.onHookError !== undefined) return hooks.onHookError(error, hook);
  } catch {
    // reported below
  }
  if (reported.has(hooks)) return;
  reported.add(hooks);
  // oxlint-disable-next-line no-console -- the only place where a user can see it
  console.error(`shelfleet: ${hook} failed; further failures of hooks are not shown:`, error);
}
