/** A page, and where to go from it. */
export interface Step<P, S> {
  page: P;
  /** The state that fetches the next page; undefined after the last. */
  next: S | undefined;
}

/** Fetches the page that a state names. */
export type Turn<P, S> = (state: S, cancel: AbortSignal) => Promise<Step<P, S>>;

/**
 * Walks pages one after another, `ahead` of them fetched before they are wanted.
 * Leaving the walk cancels what is under way; after an error it is done; parallel `next()` calls are answered in turn.
 */
export async function* walkPages<P, S>(
  start: () => S,
  turn: Turn<P, S>,
  ahead: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<P, void, void> {
  const cancel = new AbortController();
  const queue: Promise<Step<P, S>>[] = [];
  signal?.throwIfAborted();
  // where to go on; undefined while a page is under way, and after the last
  let at: { state: S } | undefined = { state: start() };
  const fetchNext = (): void => {
    if (at === undefined) return;
    const step = turn(at.state, cancel.signal);
    at = undefined;
    queue.push(step);
    step.then(
      ({ next }) => {
        if (next === undefined) return;
        at = { state: next };
        if (queue.length < ahead) fetchNext();
      },
      () => {}, // whoever takes it from the queue sees the error
    );
  };
  try {
    fetchNext();
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      const { page } = await step;
      signal?.throwIfAborted();
      if (queue.length < ahead) fetchNext();
      yield page;
      signal?.throwIfAborted();
      if (queue.length === 0) fetchNext();
    }
  } finally {
    // an abort makes an error, which the walks that end by themselves are spared
    if (queue.length > 0) cancel.abort();
  }
}
