/** The ways in which a program reads a list. */
import type { JsonObject, WalkStep } from "../scenario.ts";
import type { Draft, Pick } from "./feature.ts";

/** The way in which a program reads a list, stops and resumes. */
export function walkStyle(
  pick: Pick,
  other: JsonObject,
  rephrased: readonly JsonObject[] = [],
  otherPath?: readonly string[],
): WalkStyle {
  const queries: readonly Partial<WalkStyle>[] = [
    { changed: other },
    { changed: { extra: { tag: "2" } } },
    ...(otherPath === undefined ? [] : [{ otherPath }]),
    ...rephrased.map((query) => ({ rephrased: query })),
  ];
  const more = queries.map((query) => ({ ...query, kills: [1] }));
  return { by: "pages", ...pick.mostly<Partial<WalkStyle>>({}, ...resumed, ...more, ...styles) };
}

const resumed: readonly Partial<WalkStyle>[] = [
  { kills: [1] },
  { kills: [2] },
  { kills: [1, 1] },
  { kills: Array<number>(12).fill(1) },
  { kills: [1], ahead: 2 },
  { kills: [1], elsewhere: true },
];
const styles: readonly Partial<WalkStyle>[] = [
  { by: "items" },
  { by: "array" },
  { by: "items", awaited: "before" },
  { by: "items", awaited: "while" },
  { by: "items", awaited: "again" },
  { awaited: "before" },
  { by: "array", max: 2 },
  { by: "array", stop: { after: 2, how: "break" } },
  { by: "items", ahead: 2 },
  { by: "items", isReused: true },
  { by: "items", stop: { after: 3, how: "break" } },
  { by: "items", stop: { after: 1, how: "throw" } },
  { by: "items", abort: 25 },
];

export type WalkStyle = Omit<WalkStep, "do" | "method" | "path" | "query">;

export function walk(method: string, path: readonly string[], query: JsonObject, style: WalkStyle): Draft {
  return { programs: [[{ do: "walk", method, path, query, ...style }]] };
}
