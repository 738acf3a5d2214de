import type { AnyInput, Operation, RetryClass } from "./operation.ts";

/**
 * Whether a gap concerns a request: with another body the gap may not matter. `always` if the request has another
 * effect when it is sent twice, whatever the reading that the client was told.
 */
export type RetryGapCheck = (input: AnyInput, told: string | undefined) => boolean | "always";

/**
 * Makes the function that decides whether a request may be sent twice. An operation with `retryGaps` may, if for each
 * of them that concerns the request the client was told a reading under which twice has the effect of once.
 */
export function retryClassifier(
  /** The readings that the client was told; a gap that it was not told is open. */
  told: Readonly<Record<string, string | undefined>>,
  repeatable: Readonly<Record<string, readonly string[]>>,
  concerns: Readonly<Record<string, RetryGapCheck>> = {},
): (operation: Pick<Operation, "retry" | "retryGaps">, input: AnyInput) => RetryClass {
  const isOpen = (gap: string, input: AnyInput): boolean => {
    const reading = told[gap];
    const concern = concerns[gap]?.(input, reading);
    if (concern === false) return false;
    if (concern === "always") return true;
    return reading === undefined || repeatable[gap]?.includes(reading) !== true;
  };
  return ({ retry, retryGaps = [] }, input) =>
    retryGaps.some((gap) => isOpen(gap, input)) ? "refused-only" : retry;
}
