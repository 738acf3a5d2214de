import { foldId } from "../../../wire/similar-id.ts";
import { onAbort } from "../options/abort.ts";
import { originals } from "./originals.ts";

/** The last task of each key, by the object that the tasks concern. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs a task after all earlier tasks with the same owner and key. An abort ends the wait.
 * @param resource the resource of a client, such as `store.contacts`; that of a copy of the client counts as the same one
 * @param id an external ID; similar ones may be that of the same store (gap stores.external-id-equality)
 */
export async function runInOrder<T>(
  resource: object,
  id: string,
  signal: AbortSignal | undefined,
  task: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const key = foldId(id);
  const owner = originals.get(resource) ?? resource;
  const tasks = queues.get(owner) ?? new Map<string, Promise<unknown>>();
  queues.set(owner, tasks);
  const previous = tasks.get(key);
  const turn = previous === undefined ? Promise.resolve() : untilSettled(previous, signal);
  const result = turn.then(task);
  // an aborted wait does not let the next task overtake the previous one
  const last = Promise.allSettled([previous, result]);
  tasks.set(key, last);
  try {
    return await result;
  } finally {
    if (tasks.get(key) === last) tasks.delete(key);
  }
}

/** Waits until a task is done, or rejects with the reason of the signal. */
function untilSettled(task: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const unlisten = signal && onAbort(signal, reject);
    void task.finally(() => {
      unlisten?.();
      resolve();
    });
  });
}
