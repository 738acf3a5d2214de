import type { AnyInput, Operation, RetryClass } from "./operation.ts";

/**
 * Whether a gap concerns a request: with another body the gap may not matter. `always` if the request has another
 * effect when it is sent twice, under every reading.
 */
export type RetryGapCheck = (input: AnyInput, reading: string | undefined) => boolean | "always";

/**
 * Creates the function that decides whether a request may be sent twice. An operation with `retryGaps` may if, for each
 * of them that concerns the request, the client's readings say that the second request has no further effect.
 */
export function retryClassifier(
  /** The readings of the client. A gap without a reading is open. */
  givenReadings: Readonly<Record<string, string | undefined>>,
  repeatable: Readonly<Record<string, readonly (string | undefined)[]>>,
  concerns: Readonly<Record<string, RetryGapCheck>> = {},
): (operation: Pick<Operation, "retry" | "retryGaps">, input: AnyInput) => RetryClass {
  const isOpen = (gap: string, input: AnyInput): boolean => {
    const reading = givenReadings[gap];
    const concern = concerns[gap]?.(input, reading);
    if (concern === false) return false;
    if (concern === "always") return true;
    return repeatable[gap]?.includes(reading) !== true;
  };
  return ({ retry, retryGaps = [] }, input) =>
    retryGaps.some((gap) => isOpen(gap, input)) ? "only-if-rejected" : retry;
}
