import { concernOf, ConfigurationError } from "./clients.ts";

/**
 * Runs a task for each item, at most `concurrency` at the same time, and returns the results in order. After an abort or
 * a failure no further task starts; it rejects when the running ones have ended, with the reason of the signal or the
 * failure.
 */
export async function runEach<T, R>(
  items: readonly T[],
  { concurrency = 4, signal }: { concurrency?: number | undefined; signal: AbortSignal | undefined },
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  if (!(Number.isSafeInteger(concurrency) && concurrency > 0))
    throw new ConfigurationError("concurrency must be a positive integer");
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    try {
      while (next < items.length) {
        signal?.throwIfAborted();
        const index = next++;
        results[index] = await run(items[index] as T); // in range
      }
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, work);
  const ended = await Promise.allSettled(workers);
  signal?.throwIfAborted();
  const failure = ended.find((worker) => worker.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results;
}

/** The last task of each entity, by the resource of its client. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs a task after all earlier tasks with the same entity. */
export async function runInOrder<R>(
  resource: object,
  id: string,
  signal: AbortSignal | undefined,
  task: () => Promise<R>,
): Promise<R> {
  const queue = queues.get(resource) ?? new Map<string, Promise<unknown>>();
  queues.set(resource, queue);
  const result = (queue.get(id) ?? Promise.resolve()).then(() => {
    signal?.throwIfAborted();
    return task();
  });
  const last = result.catch(() => {});
  queue.set(id, last);
  void last.then(() => queue.get(id) === last && queue.delete(id));
  return result;
}

/** The number of failures in a row after which the service is down. */
const maxOutage = 10;

/** Ends a run in an outage, so that it does not send each of its requests in vain. */
export class OutageGuard {
  #failures = 0;

  /** @throws the error if it is the last of too many in a row */
  note(error: unknown): void {
    this.#failures = concernOf(error) === "service" ? this.#failures + 1 : 0;
    if (this.#failures >= maxOutage) throw error;
  }

  /** Something succeeded. */
  end(): void {
    this.#failures = 0;
  }
}
