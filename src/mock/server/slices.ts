/** Work that may take long: it yields when the server may handle other requests, and returns its result. */
export type Slices<Result> = Generator<void, Result, void>;

/** Runs the work without a pause. */
export function runAtOnce<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** Runs the work in slices; work of one slice runs without a pause. */
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
