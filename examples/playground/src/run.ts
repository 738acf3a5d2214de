import { signal } from "@preact/signals";
import { callMethod, newClient } from "./clients.ts";
import { type Exchange, watchedFetch } from "./exchange.ts";
import type { Operation } from "./operations.ts";
import { noteChange } from "./server.ts";

export type Outcome =
  | { state: "running" }
  | { state: "answered"; value: unknown }
  | { state: "failed"; error: unknown };

/** One call of a client with all that went over the wire for it. */
export interface Run {
  id: number;
  operation: Operation;
  outcome: Outcome;
  /** The requests that the client sent, including retries. */
  exchanges: Exchange[];
  duration: number;
}

/** The last call. */
export const lastRun = signal<Run | null>(null);

let runs = 0;

/** Calls a method of a client, or walks a list with it, and shows each step. */
export async function runCall<Value>(
  operation: Operation,
  args: unknown[],
  finish: (result: unknown) => PromiseLike<Value>,
): Promise<Value | undefined> {
  runs += 1;
  const begun = performance.now();
  const run: Run = { id: runs, operation, outcome: { state: "running" }, exchanges: [], duration: 0 };
  const show = (outcome: Outcome): void => {
    run.outcome = outcome;
    run.duration = performance.now() - begun;
    publish(run);
  };
  const fetch = watchedFetch((exchange) => {
    if (!run.exchanges.includes(exchange)) run.exchanges.push(exchange);
    publish(run);
  });
  show({ state: "running" });
  try {
    const value = await finish(callMethod(newClient(operation.api, fetch), operation, args));
    show({ state: "answered", value });
    return value;
  } catch (error) {
    show({ state: "failed", error });
    return undefined;
  }
}

function publish(run: Run): void {
  noteChange();
  // a later call has the place
  if (lastRun.value !== null && lastRun.value.id > run.id) return;
  lastRun.value = { ...run, exchanges: run.exchanges.map((exchange) => ({ ...exchange })) };
}

/** The outcome in one sentence, for whoever listens instead of looking. */
export function spoken({ operation, outcome, exchanges, duration }: Run): string {
  const { call: method } = operation;
  if (outcome.state === "running") return `${method}: sent, waiting for the answer`;
  const took = `${Math.round(duration)} ms`;
  const requests = exchanges.length === 1 ? "1 request" : `${exchanges.length} requests`;
  if (outcome.state === "answered") {
    return `${method}: answered ${exchanges.at(-1)?.status ?? ""} after ${requests}, ${took}`;
  }
  return `${method}: ${errorName(outcome.error)} after ${requests}, ${took}`;
}

/** The class of an error, by the name that it says. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
