import * as z from "zod/mini";
import { isObject, objectOf } from "../../wire/json.ts";

/** The number of elements of an array that are checked together. No array of the contracts may have more. */
const PART_LENGTH = 2_000;

/** The result of a check: the parsed value, or the original one if it is invalid or has a very large array. */
interface Checked {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly value: unknown;
}

/**
 * Checks a value with a schema. A very large array is checked in parts, up to the first part with issues: zod lists every
 * issue, and fails where there are very many.
 */
export function findIssues(schema: z.ZodMiniType, value: unknown): Checked {
  const [name, elements] = largeArrayIn(value) ?? [];
  if (name === undefined || elements === undefined) {
    const { data, error } = z.safeParse(schema, value);
    return error === undefined ? { issues: [], value: data } : { issues: error.issues, value };
  }
  for (let start = 0; start < elements.length; start += PART_LENGTH) {
    const part = { ...objectOf(value), [name]: elements.slice(start, start + PART_LENGTH) };
    const { error } = z.safeParse(schema, part);
    if (error !== undefined)
      return { issues: error.issues.map((issue) => moveIssue(issue, name, start)), value };
  }
  return { issues: [], value };
}

function largeArrayIn(value: unknown): [name: string, elements: readonly unknown[]] | undefined {
  if (!isObject(value)) return undefined;
  for (const [name, elements] of Object.entries(value))
    if (Array.isArray(elements) && elements.length > PART_LENGTH) return [name, elements];
  return undefined;
}

/** Returns an issue of a part with its place in the whole value. */
function moveIssue(issue: z.core.$ZodIssue, name: string, start: number): z.core.$ZodIssue {
  const [first, index, ...others] = issue.path;
  return first === name && typeof index === "number"
    ? { ...issue, path: [name, index + start, ...others] }
    : issue;
}
