import { vi } from "vitest";
import { type Hooks, type Logger, logTo, type StoreClientOptions } from "../../src/index.ts";
import { settle } from "../abuse/client/attack.ts";
import { everything, shows } from "./forms.ts";

export function logInto(lines: unknown[]): Logger {
  const add = (line: string): void => void lines.push(line);
  return { debug: add, info: add, warn: add, error: add };
}

/** Everything that is visible of a call: its error, the events of hooks, the log and the console. */
export async function observe(
  act: (options: Partial<StoreClientOptions>) => PromiseLike<unknown>,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  const keep = (event: object): void => void seen.push(event);
  const events = { onSend: keep, onRequest: keep, onResponse: keep, onRetry: keep, onError: keep };
  const hooks: Hooks = { ...events, onCall: keep, onCallEnd: keep, onSettled: keep, onDrift: keep };
  const spy = vi.spyOn(console, "error").mockImplementation((...words) => void seen.push(...words));
  try {
    await act({ hooks, log: logTo(logInto(seen), "debug"), retry: { limit: 1, maxDelay: 0 } });
  } catch (error) {
    seen.push(error);
  } finally {
    await settle();
    spy.mockRestore();
  }
  return seen;
}

/** Returns the beginning of the value that shows a secret; an empty text if none does. */
export function leakOf(seen: readonly unknown[], secret: string, what = ""): string {
  // one after the other: most texts have few encodings to decode, and all of them together have many
  const text = seen.map(everything).find((one) => shows(one, secret));
  return text === undefined ? "" : `${what}: ${secret} is shown by ${text.slice(0, 3_000)}`;
}
