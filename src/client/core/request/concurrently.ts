/**
 * Runs a task for each item, at most `concurrency` at the same time. After a failure no further task starts; the running
 * ones finish.
 */
export async function runConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  run: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    try {
      for (let index = next++; index < items.length; index = next++) await run(items[index] as T, index); // in range
    } catch (error) {
      next = items.length; // the other workers finish their current items
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, work);
  const ended = await Promise.allSettled(workers);
  const failure = ended.find((worker) => worker.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
