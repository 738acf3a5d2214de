/** Programs in code wait most of the time. */
const WORKERS = 8;

/** Does a work for each element, several at a time. */
export async function runInParallel<Element>(
  elements: readonly Element[],
  work: (element: Element) => Promise<void>,
): Promise<void> {
  const waiting = elements.values();
  const next = async () => {
    for (const element of waiting) await work(element);
  };
  await Promise.all(Array.from({ length: WORKERS }, next));
}
