/** Work that may take long: it yields where other requests may be answered, and returns its result. */
export type Slices<Result> = Generator<void, Result, void>;

/** Does work at once. */
export function runAtOnce<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** Does work in slices; work of one slice is done at once. */
export function runInSlices<Result>(slices: Slices<Result>): Result | Promise<Result> {
  const { done, value } = slices.next();
  return done === true ? value : continueLater(slices);
}

async function continueLater<Result>(slices: Slices<Result>): Promise<Result> {
  for (;;) {
    await nextTask();
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** Waits for the next task of the event loop, with a message because a test may have replaced the timers. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const onMessage = () => {
      port1.close();
      resolve();
    };
    port1.addEventListener("message", onMessage, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}
