/** Ways in which a list can mislead whoever pages through it. */
export const pagingFaults = ["repeat-cursor", "cycle", "empty-page", "clamp", "shift"] as const;

/** A way in which a list misleads whoever pages through it. */
export type PagingFaultKind = (typeof pagingFaults)[number];

/** The adversary of one request. */
export interface PagingFault {
  readonly kind: PagingFaultKind;
  /** How many requests of the operation it has met, this one included. */
  readonly turn: number;
}
