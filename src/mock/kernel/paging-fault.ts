/** The ways in which the pages of a list can be faulty. */
export const pagingFaults = ["repeat-cursor", "cycle", "empty-page", "clamp", "shift"] as const;

/** A way in which the pages of a list are faulty. */
export type PagingFaultKind = (typeof pagingFaults)[number];

/** The paging fault of one request. */
export interface PagingFault {
  readonly kind: PagingFaultKind;
  /** How many requests of the operation it has applied to, this one included. */
  readonly turn: number;
}
