import type { Fact, Facts } from "./facts.ts";

/**
 * What a change does to programs that were correct before: `breaks` (a call is rejected, or a type or value that it reads
 * is gone), `check` (a program may depend on it), `fine`.
 */
export type Effect = "breaks" | "check" | "fine";

export interface Change {
  kind: "added" | "removed" | "changed";
  fact: Fact;
  /** The value of a changed fact in the new document. */
  newValue?: unknown;
  effect: Effect;
}

type Judge = (before: unknown, after: unknown) => Effect;

const breaksIf = (condition: boolean): Effect => (condition ? "breaks" : "fine");
const removal: Judge = (_, after) => breaksIf(after === undefined);
const addition: Judge = (before) => breaksIf(before === undefined);
const breaks: Judge = () => "breaks";
const checkAddition: Judge = (before) => (before === undefined ? "check" : "fine");
const raised: Judge = (before, after) => breaksIf(Number(after ?? -Infinity) > Number(before ?? -Infinity));
const lowered: Judge = (before, after) => breaksIf(Number(after ?? Infinity) < Number(before ?? Infinity));
const limitation: Judge = (_, after) => breaksIf(after !== undefined);

/** What a change of each keyword does to callers; `check` for the others. Enums of responses are open. */
const judges: readonly [Fact["side"], Judge, string[]][] = [
  ["operation", breaks, ["request", "method"]],
  ["operation", removal, ["server", "sufficient scope"]],
  ["operation", addition, ["needed scope"]],
  ["operation", () => "fine", ["version", "webhook"]],
  ["request", removal, ["present", "type", "value", "known value"]],
  ["request", limitation, ["required", "pattern", "format", "only listed values", "only listed properties"]],
  ["request", raised, ["minimum", "minLength", "minItems"]],
  ["request", lowered, ["maximum", "maxLength", "maxItems"]],
  ["request", breaks, ["const"]],
  ["response", removal, ["present", "required", "format"]],
  ["response", addition, ["type"]],
  ["response", checkAddition, ["value", "known value"]],
  ["response", breaks, ["const", "error code"]],
];

/** Whether the place of a fact is in one document only (`inside`: because the object around it is). */
type PlaceChange = "new" | "gone" | "inside" | "same";

function comparePlace(before: Facts, after: Facts, { side, place }: Fact): PlaceChange {
  const isIn = (facts: Facts, name: string): boolean => facts.has(`${side} ${name} present`);
  const owner = place.replace(/(\[\])+$/, "");
  const around = owner.replace(/(\[\])*\.[^.]+$/, "");
  if (around !== owner && isIn(before, around) !== isIn(after, around)) return "inside";
  if (isIn(before, owner) === isIn(after, owner)) return "same";
  return isIn(after, owner) ? "new" : "gone";
}

function judge(fact: Fact, before: unknown, after: unknown, place: PlaceChange): Effect {
  const isPresence = fact.keyword === "present";
  if (fact.side === "response" && /^\w+$/.test(fact.place) && isPresence) {
    // Programs do not know another success. They handle a new error as any error.
    return fact.place.startsWith("2") ? "breaks" : checkAddition(before, after);
  }
  const isRequirement = fact.side === "request" && fact.keyword === "required" && place === "new";
  if (place === "inside" || (place !== "same" && !isPresence && !isRequirement)) return "fine";
  const [, decide] =
    judges.find(([side, , keywords]) => side === fact.side && keywords.includes(fact.keyword)) ?? [];
  return decide === undefined ? "check" : decide(before, after);
}

/** Returns the differences between the facts of one operation in two documents. */
export function compareFacts(before: Facts, after: Facts): Change[] {
  const gone = [...before]
    .filter(([key]) => !after.has(key))
    .map(([, fact]) => ({ old: fact, current: undefined }));
  const present = [...after].map(([key, fact]) => ({ old: before.get(key), current: fact }));
  return [...gone, ...present].flatMap(({ old, current }): Change[] => {
    const fact = old ?? current;
    if (fact === undefined || old?.value === current?.value) return [];
    const effect = judge(fact, old?.value, current?.value, comparePlace(before, after, fact));
    if (current === undefined) return [{ kind: "removed", fact, effect }];
    return [{ kind: old === undefined ? "added" : "changed", fact, newValue: current.value, effect }];
  });
}
