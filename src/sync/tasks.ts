import { concernOf, ConfigurationError, limitTime, mayHaveBeenProcessed, statusOf } from "./clients.ts";
import type { RecordSink } from "./sink.ts";

/** What bounds tasks: how many run at the same time (default: 4), and what ends them. */
export interface Limits {
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a task for each item, at most `concurrency` at the same time, and returns the results in order. After an abort or
 * a failure no further task starts; it rejects when the running ones have ended, with the reason of the signal or the
 * failure.
 */
export async function runEach<T, R>(
  items: readonly T[],
  { concurrency = 4, signal }: Limits,
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

/**
 * Reads the details of the entries of a page. One that cannot be read is passed to `fail`, and the others are read: the service may
 * always take too long for some of them. If it is down, the next page says so.
 */
export async function readDetails<Entry, Detail>(
  entries: readonly Entry[],
  limits: Limits,
  read: (entry: Entry) => PromiseLike<Detail>,
  fail: (entry: Entry, error: unknown) => void,
): Promise<(Entry & { detail: Detail })[]> {
  const all = await runEach(entries, limits, async (entry) => {
    try {
      return [{ ...entry, detail: await read(entry) }];
    } catch (error) {
      limits.signal?.throwIfAborted();
      if (concernOf(error) === "everything") throw error;
      fail(entry, error);
      return [];
    }
  });
  return all.flat();
}

/** The largest number of IDs or keys that a job passes to a sink at once. */
const maxKeys = 500;

/** Returns the saved texts of any number of keys. */
export async function readRecords(
  sink: Pick<RecordSink, "findRecords">,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < keys.length; start += maxKeys)
    for (const [key, text] of await sink.findRecords(keys.slice(start, start + maxKeys)))
      found.set(key, text);
  return found;
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
  const before = queue.get(id) ?? Promise.resolve();
  const signals = signal === undefined ? [] : [signal];
  const result = limitTime(globalThis, { signals }, () => before).then(task);
  // one that was aborted while it waited does not let the next one begin
  const last = Promise.all([before, result.catch(() => {})]);
  queue.set(id, last);
  void last.then(() => queue.get(id) === last && queue.delete(id));
  return result;
}

/** The number of failures in a row after which the service is down. */
export const maxOutage = 10;

/** Decides which failure of a row concerns all of them, so that a run does not send each of its requests in vain. */
export class OutageGuard {
  #failures = 0;

  /** Notes a failure. Returns whether it ends the run: a rejected token, or one of too many in a row in an outage. */
  isEnd(error: unknown): boolean {
    const concern = concernOf(error);
    // a write that is answered with 500 may be wrong itself
    const isFault = concern === "service" || ((statusOf(error) ?? 0) >= 500 && !mayHaveBeenProcessed(error));
    this.#failures = isFault ? this.#failures + 1 : 0;
    return concern === "everything" || this.#failures >= maxOutage;
  }

  noteSuccess(): void {
    this.#failures = 0;
  }
}
