/**
 * Requests pages before they are needed. A generator makes one page after the other, so that the pages come in order, and
 * a failure comes in the place of its page.
 * @param ahead the number of pages that are requested while one is used
 */
export async function* readPagesAhead<P>(
  pages: AsyncGenerator<P, void, void>,
  ahead: number,
  cancel: AbortController,
): AsyncGenerator<P, void, void> {
  const pending: Promise<IteratorResult<P, void>>[] = [];
  try {
    for (;;) {
      while (pending.length <= ahead) {
        const next = pages.next();
        next.catch(() => {}); // it is thrown when its turn comes
        pending.push(next);
      }
      const { done, value } = await (pending.shift() as Promise<IteratorResult<P, void>>); // there is one
      if (done === true) return;
      yield value;
    }
  } finally {
    cancel.abort();
    await pages.return().catch(() => {}); // the walk has ended
  }
}
