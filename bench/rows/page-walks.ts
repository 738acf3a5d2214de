import { Child } from "../child.ts";
import { type Contender, Stable } from "../contenders.ts";
import { measureGrowth } from "../growth.ts";
import type { Measurement, Row, RowPlan, Run } from "../measurement.ts";
import type { Participant } from "../rounds.ts";
import { allOf, fasterThan } from "../target.ts";

const delay = 20;

const cursor: RowPlan = {
  id: "walk-cursor",
  what: "a walk of 100 cursor pages at 20 ms, the consumer busy 20 ms a page",
  unit: "s",
  better: "less",
  ours: "shelfleet, prefetch 1",
  target: fasterThan(1.8, ["openai", "stripe"], "≥ 1.8 × openai and stripe (the limit is 2), same requests"),
};

const numbered: RowPlan = {
  id: "walk-numbered",
  what: "a walk of 100 numbered pages at 20 ms, the consumer idle",
  unit: "s",
  better: "less",
  ours: "shelfleet, concurrency 8",
  target: allOf(
    fasterThan(5.5, ["octokit"], "≥ 5.5 × octokit (the limit is 7.1)"),
    fasterThan(5.5, ["shelfleet, one at a time"], "≥ 5.5 × one at a time, same requests"),
  ),
};

const walkers: Record<string, readonly Contender[]> = {
  [cursor.id]: [
    { module: "shelfleet-prefetch", name: cursor.ours },
    { module: "shelfleet-cursor", name: "shelfleet, no prefetch" },
    { module: "openai", name: "openai" },
    { module: "stripe", name: "stripe" },
  ],
  [numbered.id]: [
    { module: "shelfleet-concurrency", name: numbered.ours },
    { module: "shelfleet-numbered", name: "shelfleet, one at a time" },
    { module: "octokit", name: "octokit" },
  ],
};

/** A server with the given number of pages, and its contenders. */
class WalkSetup implements AsyncDisposable {
  readonly #server: Child;
  readonly #stable: Stable;

  constructor(server: Child, stable: Stable) {
    this.#server = server;
    this.#stable = stable;
  }

  static async open(pages: number, busy: number, contenders: readonly Contender[]): Promise<WalkSetup> {
    const { child, ready } = await Child.start("servers/canned.ts", [String(delay), String(pages)]);
    const setting = { baseUrl: ready as string, busy };
    return new WalkSetup(child, await Stable.open(contenders, "page-walk", setting, 0));
  }

  /** A walk is valid only if it sent one request per page. */
  participant(contender: Contender, pages: number): Participant {
    const { name, sample } = this.#stable.participant(contender, pages);
    const counted = async (): Promise<number> => {
      await this.#server.ask("count");
      const seconds = await sample();
      const requests = await this.#server.ask("count");
      if (requests !== pages) throw new Error(`sent ${String(requests)} requests for ${pages} pages`);
      return seconds;
    };
    return { name, sample: counted };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stable[Symbol.asyncDispose]();
    await this.#server.stop();
  }
}

async function walks(run: Run, plan: RowPlan, busy: number): Promise<Row[]> {
  const contenders = walkers[plan.id] ?? [];
  const amounts = { base: 100, others: [10, 1_000], unit: "pages", exponent: 1, minRounds: 1 } as const;
  await using setups = new AsyncDisposableStack();
  const opened = new Map<number, WalkSetup>();
  for (const pages of [amounts.base, ...(run.quick ? [] : amounts.others)]) {
    opened.set(pages, setups.use(await WalkSetup.open(pages, busy, contenders)));
  }
  const participants = (pages: number): Participant[] =>
    contenders.flatMap((contender) => opened.get(pages)?.participant(contender, pages) ?? []);
  return await measureGrowth(run, plan, amounts, participants, run.quick ? 2 : 5);
}

export const cursorWalk: Measurement = { plans: [cursor], measure: (run) => walks(run, cursor, delay) };

export const numberedWalk: Measurement = { plans: [numbered], measure: (run) => walks(run, numbered, 0) };
