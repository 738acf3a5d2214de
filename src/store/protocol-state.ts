import { badResume, parseResume } from "../core/resume.ts";

/** Where a walk stands; as JSON it is the `resume` of a page. */
export type State =
  | { at: "start" }
  /** The first page was delivered, and nobody knows yet whether the server takes its cursor. `seen`: its protocols. */
  | { at: "second"; cursor: string; seen: number[] }
  | { at: "cursor"; cursor: string }
  /** Ranges still to be read, the protocols of the first page, and those that may stand on the next range's edge. */
  | { at: "window"; ranges: [from: string, to: string][]; seen: number[]; edge: number[] };

/** The state in a resume token; the beginning without one. */
export function readState(doing: string, resume: string | undefined): State {
  if (resume === undefined) return { at: "start" };
  const state = parseResume(doing, resume);
  const fits =
    (state.at === "second" && typeof state.cursor === "string" && numbers(state.seen)) ||
    (state.at === "cursor" && typeof state.cursor === "string") ||
    (state.at === "window" && areRanges(state.ranges) && numbers(state.seen) && numbers(state.edge));
  if (!fits) throw badResume(doing);
  return state as unknown as State; // each member has been looked at
}

function numbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((key) => typeof key === "number");
}

function areRanges(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isRange);
}

function isRange(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}
