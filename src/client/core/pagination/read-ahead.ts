/** Requests the pages of one walk. */
export interface PageReader<P> {
  /**
   * Requests the next page. Pages are returned in the order of the calls. Returns undefined if there is no further
   * page, or if its position is not known yet.
   */
  request(cancel: AbortSignal): Promise<P> | undefined;
}

/**
 * Reads pages in order and requests at most `ahead` of them before the consumer needs them. Leaving the walk cancels
 * the requests in flight. After an error the walk is done. Parallel `next()` calls resolve in order.
 */
export async function* readAhead<P>(
  reader: PageReader<P>,
  ahead: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<P, void, void> {
  const cancel = new AbortController();
  const queue: Promise<P>[] = [];
  const fill = (maximum: number): void => {
    while (queue.length < maximum && !cancel.signal.aborted) {
      const page = reader.request(cancel.signal);
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
