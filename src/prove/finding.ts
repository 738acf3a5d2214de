/** The ways in which a result is wrong. */
export type FindingKind = "lost" | "repeated" | "wrong" | "overwritten" | "written twice" | "wrong place";

/** One difference between the expected and the actual result. */
export interface Finding {
  readonly kind: FindingKind;
  /** The row or the entity. */
  readonly what: string;
  readonly expected?: unknown;
  readonly got?: unknown;
}
