import { gaps } from "../../generated/gaps.ts";

type Gaps = typeof gaps;

/** A gap that has readings. */
export type OpenGap = {
  [Gap in keyof Gaps]: Gaps[Gap] extends { readonly readings: object } ? Gap : never;
}[keyof Gaps];

/** A reading of a gap. */
export type ReadingOf<Gap extends OpenGap> = keyof Gaps[Gap]["readings"] & string;

/** The class of an experiment; what a run may do decides which classes it has. */
export type Consent = "passive" | "read" | "read-odd" | "keys" | "write";

/** The ids of all gaps with readings, in the order of the register. */
export const openGaps: readonly OpenGap[] = (Object.keys(gaps) as (keyof Gaps)[]).filter(isOpen);

export function isOpen(gap: string): gap is OpenGap {
  return Object.hasOwn(gaps, gap) && "readings" in gaps[gap as keyof Gaps];
}

/** The readings of a gap, in the order of the register. */
export function readingsOf(gap: OpenGap): string[] {
  return Object.keys(gaps[gap].readings);
}

export function apiOf(gap: OpenGap): "store" | "fleet" {
  return gaps[gap].api;
}
