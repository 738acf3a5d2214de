import type { Issue } from "./issue.ts";
import { applyShape, type Shape } from "./shape.ts";

type Check = (schema: string, value: unknown) => Issue[];

/**
 * A body as text, or the issues that keep it from being sent.
 * It is taken before the schemas are waited for: what the caller changes later is not sent.
 */
export async function writeBody(
  schema: string,
  { body, bodyShape }: { body?: unknown; bodyShape?: Shape | undefined },
  loadCheck: () => Promise<Check>,
  issues: Issue[],
): Promise<string | undefined> {
  const shaped = bodyShape === undefined ? { value: body } : await applyShape(bodyShape, body);
  if (shaped.issues !== undefined) {
    add(shaped.issues, issues);
    return undefined;
  }
  const found = issues.length;
  const written = stringify(shaped.value, issues);
  if (issues.length > found) return undefined;
  const check = await loadCheck();
  // what is checked is what is sent: an undefined member is gone, a `Date` is text
  add(check(schema, written && JSON.parse(written)), issues);
  return written;
}

function stringify(body: unknown, issues: Issue[]): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    issues.push({ path: "", message: `cannot be written as JSON: ${(error as Error).message}` });
    return undefined;
  }
}

/** One by one: there may be more than a call takes arguments. */
function add(found: readonly Issue[], issues: Issue[]): void {
  for (const issue of found) issues.push(issue);
}
