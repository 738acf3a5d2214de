/** The ways in which the pages of a list can be faulty. */
export const pagingFaults = ["repeat-cursor", "cycle", "empty-page", "clamp", "shift"] as const;

/** A way in which the pages of a list are faulty. */
export type PagingFaultKind = (typeof pagingFaults)[number];

/** The paging fault of one request. */
export interface PagingFault {
  readonly kind: PagingFaultKind;
  /** The number of requests of the operation that it has applied to, including this one. */
  readonly applications: number;
}
