/** Programs in code wait most of the time. */
const WORKERS = 8;

/** Does a work for each element, several at a time. */
export async function runInParallel<Element>(
  elements: Iterable<Element>,
  work: (element: Element) => Promise<void>,
): Promise<void> {
  const waiting = elements[Symbol.iterator]();
  const next = async (): Promise<void> => {
    for (let { done, value } = waiting.next(); done !== true; { done, value } = waiting.next())
      await work(value);
  };
  await Promise.all(Array.from({ length: WORKERS }, next));
}
