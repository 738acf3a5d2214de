import { RunEnded } from "../sender/failures.ts";
import type { Exchange } from "./exchange.ts";
import { Missing } from "./failures.ts";
import { type KnownGap, type RunTools, servicesOf } from "./experiment-tools.ts";
import { FRESH_ROUNDS, type Investigation } from "./investigation.ts";
import { CONFIRMATIONS } from "./verdict.ts";

/** The rounds of a run: the first one finds readings, and each further one adds an observation of what was found. */
const MAX_ROUNDS = CONFIRMATIONS + 2;

/** Passes an exchange to every investigation that uses it. */
export function notify(investigations: Iterable<Investigation>, exchange: Exchange): void {
  if (!exchange.isEvidence && exchange.status !== 429) return;
  for (const investigation of investigations) investigation.examine(exchange);
}

/** Runs the experiments: first one round that finds readings, then rounds that confirm the likely ones. */
export async function investigate(
  investigations: readonly Investigation[],
  tools: RunTools,
  onStart: (investigation: Investigation) => void,
): Promise<void> {
  let isShort = false;
  try {
    await runRound(investigations, tools, onStart);
    for (let round = 2; round <= MAX_ROUNDS; round += 1) {
      const all = investigations.filter(({ canConfirm }) => canConfirm);
      const rounds = Math.max(CONFIRMATIONS + 1 - round, 1);
      const likely = round <= FRESH_ROUNDS ? all : affordable(all, tools.budget.left / rounds);
      isShort = likely.length < all.length;
      for (const investigation of likely) await investigation.beginRound();
      for (const service of servicesOf(tools)) {
        service.separateRequests();
        if (round <= FRESH_ROUNDS) service.forget();
      }
      await runRound(likely, tools, onStart);
    }
    if (isShort) tools.budget.recordShortage();
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
  }
}

/** Keeps the reason of a failure for want of data, so that the same requests are not sent again. */
async function outcomeOf<Made>(make: () => Promise<Made>): Promise<{ value?: Made; missing?: Missing }> {
  try {
    return { value: await make() };
  } catch (error) {
    if (error instanceof Missing) return { missing: error };
    throw error;
  }
}

/** Returns the cheapest investigations that fit into a number of requests: shared among all, they would decide none. */
function affordable(investigations: readonly Investigation[], requests: number): Investigation[] {
  let sum = 0;
  return investigations
    .toSorted((a, b) => a.costOfRound - b.costOfRound)
    .filter(({ costOfRound }) => {
      sum += costOfRound;
      return sum <= requests;
    });
}

/** Runs the experiments of a round. The next one is always the one with the largest expected value per request. */
async function runRound(
  investigations: readonly Investigation[],
  tools: RunTools,
  onStart: (investigation: Investigation) => void,
): Promise<void> {
  const made = new Map<string, { readonly value?: unknown; readonly missing?: Missing }>();
  const once = async <Made>(name: string, make: () => Promise<Made>): Promise<Made> => {
    if (!made.has(name)) made.set(name, await outcomeOf(make));
    const { value, missing } = made.get(name) ?? {};
    if (missing !== undefined) throw missing;
    return value as Made; // made under the same name
  };
  for (;;) {
    const open = investigations.filter((investigation) => !investigation.isDone && !investigation.isSettled);
    const ready = open.filter(({ experiment }) => experiment.after.every((gap) => isKnown(tools.find(gap))));
    const [next] = (ready.length > 0 ? ready : open).toSorted((a, b) => b.value - a.value);
    if (next === undefined) return;
    onStart(next);
    try {
      await next.advance(tools, once);
    } finally {
      if (next.isSettled) await next.finish();
    }
  }
}

function isKnown(investigation: KnownGap | undefined): boolean {
  return (
    investigation === undefined || investigation.isDone || investigation.evaluation.verdict !== "unknown"
  );
}
