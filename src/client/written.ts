import type { JsonObject } from "../wire/json.ts";
import type { Issue } from "./errors.ts";

/** What is compared of the elements of a written list. */
export interface WrittenFacts {
  /** The properties of the input. */
  readonly sent: readonly string[];
  /** The values of omitted properties, which a response may lack. */
  readonly defaults: Readonly<JsonObject>;
}

/**
 * How two values are compared.
 *
 * - `exact`: a service may write null for an empty list, UUIDs in either case, and a list without an order in any order.
 * - `letters`: it may also write texts in a form of its own: only their letters and digits are compared.
 */
export type Comparison = "exact" | "letters";

const uuids = new Set(["storeId", "regionId", "protocolScheduleId", "expositionId"]);

/** The lists whose order means nothing. */
const unordered = new Set(["openingTimes", "productCategories"]);

/** Whether a value that was sent and one that a service shows are the same. */
export function isSameValue(
  name: string,
  desired: unknown,
  shown: unknown,
  comparison: Comparison = "exact",
): boolean {
  return formOf(name, desired, comparison) === formOf(name, shown, comparison);
}

/** Returns the text by which a value is compared. */
export function formOf(name: string, value: unknown, comparison: Comparison = "exact"): string {
  if (Array.isArray(value) || (unordered.has(name) && (value ?? null) === null)) {
    const forms = ((value ?? []) as unknown[]).map((element) => formOf("", element, comparison));
    return `[${(unordered.has(name) ? forms.toSorted() : forms).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const forms = entries.map(([key, inner]) => `${JSON.stringify(key)}:${formOf(key, inner, comparison)}`);
    return `{${forms.toSorted().join(",")}}`;
  }
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  const text = uuids.has(name) ? value.toLowerCase() : value;
  return JSON.stringify(comparison === "exact" ? text : lettersOf(text));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Finds the elements that a list shows, in any order, each once. Returns the indexes of the others.
 * @param isShown whether an item shows an element
 */
export function findLost<Element>(
  elements: readonly Element[],
  items: readonly JsonObject[],
  isShown: (element: Element, item: JsonObject) => boolean,
): number[] {
  const left = new Set(items.keys());
  const take = (element: Element, index: number): boolean => {
    const item = items[index];
    return item !== undefined && left.has(index) && isShown(element, item) && left.delete(index);
  };
  // usually it has the same place
  const moved = [...elements.entries()].filter(([index, element]) => !take(element, index));
  return moved
    .filter(([, element]) => ![...left].some((index) => take(element, index)))
    .map(([index]) => index);
}

/**
 * Returns what the response to the write of a list does not show as it was sent. A service may add properties, choose the IDs
 * of elements, leave out what is null and elements that are disabled, and write texts in a form of its own.
 * @param isReplaced whether the list has no other elements
 */
export function findUnwritten(
  { sent, defaults }: WrittenFacts,
  elements: readonly JsonObject[],
  items: readonly JsonObject[],
  isReplaced: boolean,
): Issue[] {
  const isShown = (element: JsonObject, item: JsonObject): boolean =>
    sent.every((name) => {
      // what an omitted property that may be null becomes is a gap; one that has its default need not be shown
      const isOmitted = element[name] === undefined;
      const expected = isOmitted ? (defaults[name] ?? undefined) : element[name];
      if (expected === undefined || (isOmitted && item[name] === undefined) || name.endsWith("Id"))
        return true;
      return isSameValue(name, expected, item[name], "letters");
    });
  const active = [...elements.entries()].filter(([, { status }]) => status !== "disabled");
  const lost = findLost(active, items, ([, element], item) => isShown(element, item));
  const issues = lost.map((index) => ({
    path: String(active[index]?.[0]),
    message: "is not in the response as it was sent",
  }));
  if (isReplaced && items.length !== elements.length)
    issues.push({ path: "items", message: `has ${items.length} elements instead of ${elements.length}` });
  return issues;
}
