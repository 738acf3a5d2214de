/** The progress of one walk over the pages of a list. */
export interface PageWalk<P> {
  /**
   * Requests the next page. Pages are returned in the order of the calls. Returns undefined if there is no further
   * page, or if its position is not known yet.
   */
  request(cancel: AbortSignal | undefined): Promise<P> | undefined;
}

/** The source of a list's pages. */
export interface PageSource<P> {
  /** The label for messages, e.g. `GET /v1/stores`. */
  label: string;
  /** The list's route and query, without secrets. */
  describe(): string;
  /** The signal of the caller. */
  signal: AbortSignal | undefined;
  /** Starts a walk; throws an `InvalidRequestError` for a resume token of another list. */
  begin(ahead: number): PageWalk<P>;
  /** Reads the first page for a caller who awaits the list; by default, the first page of a walk. */
  first?(): Promise<P>;
}

/**
 * Walks the pages in order and requests at most `ahead` of them before the consumer needs them. Leaving the walk
 * cancels the requests in flight. After an error the walk is done. Parallel `next()` calls resolve in order.
 */
export async function* walkPages<P>(source: PageSource<P>, ahead: number): AsyncGenerator<P, void, void> {
  const { signal } = source;
  signal?.throwIfAborted();
  const cancel = new AbortController();
  const walk = source.begin(ahead);
  const queue: Promise<P>[] = [];
  const fill = (maximum: number): void => {
    while (queue.length < maximum && !cancel.signal.aborted) {
      const page = walk.request(cancel.signal);
      if (page === undefined) return;
      queue.push(page);
      page.then(
        () => fill(ahead),
        () => {}, // the loop below throws it in order
      );
    }
  };
  try {
    fill(1);
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const page = await next;
      void queue.shift(); // removed only now: until its delivery a page counts as requested
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
