/** The progress of one walk over the pages of a list. */
export interface PageWalk<P> {
  /**
   * Requests the next page; pages come in the order of the calls. Returns undefined if there is no further page, or if
   * its position is not known yet.
   */
  ask(cancel: AbortSignal | undefined): Promise<P> | undefined;
}

/** Where a list reads its pages. */
export interface PageSource<P> {
  /** `GET /v1/stores`, for messages. */
  label: string;
  /** Its route and query, without secrets. */
  describe(): string;
  /** The caller's. */
  signal: AbortSignal | undefined;
  /** Starts a walk; throws an `InvalidRequestError` for a resume token that does not fit. */
  begin(ahead: number): PageWalk<P>;
  /** The first page for a caller who awaits the list; left out, it is the first page of a walk. */
  first?(): Promise<P>;
}

/**
 * Walks the pages in order, with at most `ahead` of them requested before the consumer needs them. Leaving the walk
 * cancels the requests in flight; after an error the walk is done; parallel `next()` calls are answered in turn.
 */
export async function* walkPages<P>(source: PageSource<P>, ahead: number): AsyncGenerator<P, void, void> {
  const { signal } = source;
  signal?.throwIfAborted();
  const cancel = new AbortController();
  const walk = source.begin(ahead);
  const queue: Promise<P>[] = [];
  const fill = (most: number): void => {
    while (queue.length < most && !cancel.signal.aborted) {
      const page = walk.ask(cancel.signal);
      if (page === undefined) return;
      queue.push(page);
      page.then(
        () => fill(ahead),
        () => {}, // the loop below throws it in its turn
      );
    }
  };
  try {
    fill(1);
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const page = await next;
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
