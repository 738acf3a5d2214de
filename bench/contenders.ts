import { Child } from "./child.ts";
import type { Participant } from "./rounds.ts";
import type { ScenarioSetting } from "./scenario.ts";

/** A contender's module and its name in the table. */
export interface Contender {
  module: string;
  name: string;
}

export const ours = "shelfleet";

/** The contenders with retry and timeout. */
export const guarded: readonly Contender[] = [
  { module: "shelfleet", name: ours },
  { module: "openapi-fetch-ky", name: "openapi-fetch + ky" },
  { module: "openai", name: "openai" },
  { module: "stripe", name: "stripe" },
  { module: "redocly", name: "Redocly's generated client" },
];

export const clients: readonly Contender[] = [
  ...guarded,
  { module: "hey-api", name: "hey-api (no retry, no timeout)" },
];

/** The contenders that use sockets without a client. */
export const bareSenders: readonly Contender[] = [
  { module: "undici-request", name: "undici request" },
  { module: "node-http", name: "node:http, keep-alive" },
];

export const overUndici: Contender = { module: "shelfleet-undici", name: "shelfleet, undici" };

export const native: Contender = { module: "native-fetch", name: "native fetch" };

/** Other settings of shelfleet are not rivals. */
export const isOurs = (name: string): boolean => name.startsWith(ours);

/** The names of all contenders except shelfleet. */
export const rivals = (contenders: readonly Contender[]): string[] =>
  contenders.map(({ name }) => name).filter((name) => name !== ours);

/** The contenders of a scenario, each in a child process. */
export class Stable implements AsyncDisposable {
  readonly #children = new Map<string, Child | { failure: unknown }>();

  /** Starts contenders, all at a time, and lets each warm up with the given amount of work. */
  static async open(
    contenders: readonly Contender[],
    scenario: string,
    setting: ScenarioSetting,
    warmUp: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Stable> {
    const stable = new Stable();
    await Promise.all(contenders.map((one) => stable.#enter(scenario, one, setting, warmUp, env)));
    return stable;
  }

  /** If a contender fails to start, each of its measurements fails. */
  async #enter(
    scenario: string,
    { module }: Contender,
    setting: ScenarioSetting,
    warmUp: number,
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    try {
      const args = [scenario, module, JSON.stringify(setting)];
      const { child } = await Child.start("scenario-process.ts", args, env);
      this.#children.set(module, child);
      if (warmUp > 0) await child.ask(warmUp);
    } catch (failure) {
      const started = this.#children.get(module);
      if (started instanceof Child) await started.stop();
      this.#children.set(module, { failure });
    }
  }

  participant({ module, name }: Contender, work: number): Participant {
    return {
      name,
      sample: async () => {
        const child = this.#children.get(module);
        if (child instanceof Child) return (await child.ask(work)) as number;
        throw child?.failure;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const children = [...this.#children.values()].filter((child) => child instanceof Child);
    await Promise.all(children.map((child) => child.stop()));
  }
}
