import { gaps } from "../../../generated/gaps.ts";

type Gaps = typeof gaps;

/** A gap that has readings. */
export type OpenGap = {
  [Gap in keyof Gaps]: Gaps[Gap] extends { readonly readings: object } ? Gap : never;
}[keyof Gaps];

/** A reading of a gap. */
export type ReadingOf<Gap extends OpenGap> = keyof Gaps[Gap]["readings"] & string;

/** A gap that an experiment can decide. The gaps that no experiment can decide say what one would need. */
export type ObservedGap = {
  [Gap in OpenGap]: Gaps[Gap]["probe"] extends { readonly consent: string } ? Gap : never;
}[OpenGap];

/** The class of an experiment. The consent of the caller determines the classes of a run. */
export type Consent = "passive" | "read" | "read-odd" | "keys" | "write";

/** The IDs of all gaps with readings, in the order of the gap list. */
export const openGaps: readonly OpenGap[] = (Object.keys(gaps) as (keyof Gaps)[]).filter(isOpen);

export function isOpen(gap: string): gap is OpenGap {
  // `hasOwn` does not narrow the name
  return Object.hasOwn(gaps, gap) && "readings" in gaps[gap as keyof Gaps];
}

/** Returns the readings of a gap, in the order of the gap list. */
export function readingsOf(gap: OpenGap): string[] {
  return Object.keys(gaps[gap].readings);
}

export function apiOf(gap: OpenGap): "store" | "fleet" {
  return gaps[gap].api;
}

/** Returns the class of the experiment of a gap. */
export function consentOf(gap: ObservedGap): Consent {
  return gaps[gap].probe.consent;
}

/** Returns what an experiment for a gap would need; `undefined` if there is one. */
export function lackingFor(gap: OpenGap): string | undefined {
  const { probe } = gaps[gap];
  return "needs" in probe ? probe.needs : undefined;
}
