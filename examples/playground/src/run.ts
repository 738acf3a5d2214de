import { computed, signal } from "@preact/signals";
import { callMethod, newClient } from "./clients.ts";
import { type Exchange, watchedFetch } from "./exchange.ts";
import type { Operation } from "./operations.ts";
import { place } from "./route.ts";
import { recordChange, server } from "./server.ts";

export type Outcome =
  | { state: "running" }
  | { state: "succeeded"; value: unknown }
  | { state: "failed"; error: unknown }
  | { state: "cancelled" };

/** One call of a client with all its requests. */
export interface Run {
  id: number;
  operation: Operation;
  outcome: Outcome;
  /** The requests of the client with their responses, including retries. */
  exchanges: Exchange[];
  /** The start time on the clock of `performance`. */
  begun: number;
  duration: number;
  cancel: () => void;
}

/** The last call of each view and operation. */
const runs = signal<Readonly<Record<string, Run>>>({});

/** The last call of the current view; undefined if it has not made a call. */
export const currentRun = computed<Run | undefined>(() => runs.value[place.value]);

// the responses are not those of the new server
server.subscribe(() => {
  for (const run of Object.values(runs.peek())) run.cancel();
  runs.value = {};
});

let lastId = 0;

/** Calls a method of a client, or reads a list with it, and shows each step. */
export async function runCall(
  operation: Operation,
  args: unknown[],
  finish: (result: unknown) => PromiseLike<unknown>,
): Promise<void> {
  lastId += 1;
  const at = place.value;
  const controller = new AbortController();
  const { signal: aborted } = controller;
  const begun = performance.now();
  const run: Run = {
    id: lastId,
    operation,
    outcome: { state: "running" },
    exchanges: [],
    begun,
    duration: 0,
    cancel: () => controller.abort(),
  };
  const show = (outcome: Outcome): void => {
    run.outcome = outcome;
    run.duration = performance.now() - begun;
    publish(at, run);
  };
  const fetch = watchedFetch((exchange) => {
    if (!run.exchanges.includes(exchange)) run.exchanges.push(exchange);
    publish(at, run);
  });
  runs.value = { ...runs.value, [at]: run };
  show({ state: "running" });
  try {
    const value = await finish(callMethod(newClient(operation.api, fetch), operation, args, aborted));
    show({ state: "succeeded", value });
  } catch (error) {
    show(aborted.aborted && error === aborted.reason ? { state: "cancelled" } : { state: "failed", error });
  }
}

function publish(at: string, run: Run): void {
  recordChange();
  // a later call or a new server has replaced this call
  if (runs.value[at]?.id !== run.id) return;
  runs.value = {
    ...runs.value,
    [at]: { ...run, exchanges: run.exchanges.map((exchange) => ({ ...exchange })) },
  };
}

export function isRunning(run: Run | undefined): run is Run {
  return run?.outcome.state === "running";
}

/** Returns the outcome as one line, which screen readers also announce. */
export function announcement({ operation, outcome, exchanges, duration }: Run): string {
  const { call: method } = operation;
  if (outcome.state === "running") return `${method}: sent, waiting for the response`;
  const after = `after ${requestCount(exchanges.length)}, ${Math.round(duration)} ms`;
  if (outcome.state === "cancelled") return `${method}: cancelled ${after}`;
  if (outcome.state === "succeeded") return `${method}: response ${exchanges.at(-1)?.status ?? ""} ${after}`;
  return `${method}: ${errorName(outcome.error)} ${after}`;
}

export function requestCount(count: number): string {
  return count === 1 ? "1 request" : `${count} requests`;
}

/** The name of an error's class. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
