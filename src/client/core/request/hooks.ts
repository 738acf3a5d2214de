import type { Hooks } from "../options/hooks.ts";

/** The hooks of clients whose first failure was written to the console. */
const reported = new WeakSet<Hooks>();

/** Hooks without the types of their events: each takes the event with its name. */
type AnyHooks = Record<string, ((...event: unknown[]) => unknown) | undefined>;

/** Combines several objects of hooks. Each is called, also if another one fails. */
export function combineHooks(given: Hooks | readonly Hooks[] = {}): Hooks {
  if (!Array.isArray(given)) return given as Hooks; // `isArray` does not exclude readonly arrays
  const all: readonly AnyHooks[] = given;
  const combined: AnyHooks = {};
  for (const name of new Set(all.flatMap((hooks) => Object.keys(hooks)))) {
    const report = (error: unknown): void => {
      if (name !== "onHookError") reportHookError(combined, error, name);
    };
    combined[name] = (...event) => {
      for (const hooks of all) callHook(() => hooks[name]?.(...event), report);
    };
  }
  return combined;
}

/** Calls a hook if it is set. An error that it throws or rejects with is only reported. */
export function notify<Name extends keyof Hooks>(
  hooks: Hooks,
  name: Name,
  createEvent: () => Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  const hook = hooks[name] as ((event: unknown) => unknown) | undefined; // each hook takes the event with its name
  if (hook === undefined) return;
  callHook(
    () => hook.call(hooks, createEvent()),
    (error) => reportHookError(hooks, error, name),
  );
}

/** Reports a hook's failure to `onHookError`; without one, writes the first failure to the console. */
export function reportHookError(hooks: Hooks, error: unknown, hook: string): void {
  const write = (): void => {
    if (reported.has(hooks)) return;
    reported.add(hooks);
    // oxlint-disable-next-line no-console -- the only place where a user can see it
    console.error(`shelfleet: ${hook} failed; further failures of hooks are not shown:`, error);
  };
  callHook(() => (hooks.onHookError ?? write).call(hooks, error, hook), write);
}

/** Calls a hook. `onFailure` receives an error that it throws or rejects with. */
function callHook(call: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    void Promise.resolve(call()).catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
