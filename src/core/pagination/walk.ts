/** The progress of one walk over the pages of a list. */
export interface PageWalk<R, P> {
  /** Requests the next page. Returns undefined if there is none, or if its position is not known yet. */
  ask(cancel: AbortSignal | undefined): Promise<R> | undefined;
  /** Turns the next response, in order, into a page. */
  take(response: R): P;
}

/** Reads the pages of one list; every walk starts from the beginning. */
export interface PageReader<P> {
  first(): Promise<P>;
  /** Yields the pages in order, with at most `ahead` of them requested before the consumer needs them. */
  pages(ahead: number): AsyncGenerator<P, void, void>;
}

/** `begin` starts a walk; it throws an `InvalidRequestError` for a resume token that does not fit. */
export function pageReader<R, P>(
  begin: () => PageWalk<R, P>,
  signal: AbortSignal | undefined,
): PageReader<P> {
  return {
    async first() {
      const walk = begin();
      return walk.take(await (walk.ask(undefined) as Promise<R>)); // every list has a first page
    },
    pages: (ahead) => walkPages(begin, ahead, signal),
  };
}

/**
 * Walks the pages in order. Leaving the walk cancels the requests in flight; after an error the walk is done;
 * parallel `next()` calls are answered in turn.
 */
async function* walkPages<R, P>(
  begin: () => PageWalk<R, P>,
  ahead: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<P, void, void> {
  signal?.throwIfAborted();
  const cancel = new AbortController();
  const walk = begin();
  const queue: Promise<R>[] = [];
  const fill = (most: number): void => {
    while (queue.length < most && !cancel.signal.aborted) {
      const response = walk.ask(cancel.signal);
      if (response === undefined) return;
      queue.push(response);
      response.then(
        () => fill(ahead),
        () => {}, // the loop below throws it in its turn
      );
    }
  };
  try {
    fill(1);
    for (let response = queue[0]; response !== undefined; response = queue[0]) {
      const page = walk.take(await response);
      void queue.shift(); // only now: until its delivery a page counts as requested
      signal?.throwIfAborted();
      fill(ahead);
      yield page;
      signal?.throwIfAborted();
      fill(Math.max(1, ahead));
    }
  } finally {
    if (queue.length > 0) cancel.abort();
  }
}
