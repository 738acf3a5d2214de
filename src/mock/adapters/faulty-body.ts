import { abortReason, type Timers } from "../server/clock.ts";
import type { TransportFault } from "../server/exchange.ts";

/**
 * Yields the bytes of a body as its fault sends them: all of them a few at a time, or the first half and then an error
 * (`truncate`) or nothing until the signal is aborted (`stall`).
 */
export async function* faultyBody(
  bytes: Uint8Array,
  { kind, at, bytesPerSecond = 1 }: TransportFault,
  timers: Timers,
  signal: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  if (kind === "slow") {
    const size = Math.max(Math.round(bytesPerSecond / 10), 1);
    for (let start = 0; start < bytes.length; start += size) {
      if (start > 0) await timers.wait((size / bytesPerSecond) * 1000, signal);
      yield bytes.slice(start, start + size);
    }
    return;
  }
  if (at === "body") yield bytes.slice(0, bytes.length >> 1);
  if (kind === "truncate") throw new TypeError("terminated");
  await untilAborted(signal);
}

/** Rejects with the reason of a signal when it is aborted. */
export function untilAborted(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(abortReason(signal));
    signal?.addEventListener("abort", () => reject(abortReason(signal)), { once: true });
  });
}
