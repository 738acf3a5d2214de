/** Notices what leaves the simulated world: real timers and clocks, unhandled rejections, the console. */
import type { SecretWatch } from "./secrets.ts";

type Violate = (text: string) => void;

let current: LeakMonitor | undefined;

export class LeakMonitor {
  readonly #violate: Violate;
  readonly #console: string[] = [];

  private constructor(violate: Violate) {
    this.#violate = violate;
  }

  /** From now on, what escapes belongs to this history. */
  static watch(violate: Violate): LeakMonitor {
    install();
    current = new LeakMonitor(violate);
    return current;
  }

  /** Returns what was printed. */
  end(secrets: SecretWatch): readonly string[] {
    for (const text of this.#console) secrets.text("the console", text);
    if (current === this) current = undefined;
    return this.#console;
  }

  report(description: string): void {
    this.#violate(description);
  }

  print(text: string): void {
    this.#console.push(text);
  }
}

const source = /[/\\]src[/\\](?:client|wire)[/\\]/;

/** Whether the caller of the function that calls this one is code of the clients. */
function isFromClient(): boolean {
  const caller = (new Error("for its stack").stack ?? "").split("\n")[3];
  return source.test(caller ?? "");
}

let isInstalled = false;

/** Puts watchers before the globals, once for the process. They pass everything on. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const name of ["setTimeout", "setInterval", "setImmediate"] as const) replace(globalThis, name);
  replace(Date, "now");
  replace(performance, "now");
  replace(Math, "random");
  replace(AbortSignal, "timeout");
  process.on("unhandledRejection", (reason) => current?.report(`unhandled rejection: ${String(reason)}`));
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    if (current === undefined) print(...parts);
    else current.print(parts.map(String).join(" "));
  };
}

function replace<Name extends string>(owner: { [name in Name]: unknown }, name: Name): void {
  const original = owner[name] as (...args: readonly unknown[]) => unknown; // each of them is a function
  const watch = function watch(this: unknown, ...args: readonly unknown[]): unknown {
    if (current !== undefined && isFromClient()) current.report(`${name} of globalThis was called`);
    return Reflect.apply(original, this === undefined ? globalThis : this, args);
  };
  Object.defineProperty(owner, name, { value: watch, configurable: true, writable: true });
}
