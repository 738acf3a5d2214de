import type { Issue } from "../errors/issue.ts";
import type { SchemaCheck } from "./api.ts";
import { applyShape, type Shape } from "./shape.ts";

/**
 * Returns a body as JSON text; adds an issue for everything that keeps it from being sent.
 * The text is made before the schemas are loaded: what the caller changes later is not sent.
 */
export async function serializeBody(
  schema: string | undefined,
  { body, bodyShape }: { body?: unknown; bodyShape?: Shape | undefined },
  loadCheck: () => Promise<SchemaCheck>,
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
  if (schema === undefined) return written;
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
