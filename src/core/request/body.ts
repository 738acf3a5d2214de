import type { Issue } from "../errors/issue.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { applyShape, type Shape } from "./shape.ts";

/**
 * Returns a body as JSON text; adds an issue for everything that keeps it from being sent.
 * The text is made before the schemas are awaited: what the caller changes later is not sent.
 */
export async function serializeBody(
  schema: string | undefined,
  { body, bodyShape }: { body?: unknown; bodyShape?: Shape | undefined },
  schemas: Promise<SchemaCheck>,
  issues: Issue[],
): Promise<string | undefined> {
  const shaped = bodyShape === undefined ? { value: body } : await applyShape(bodyShape, body);
  // one by one: there may be more than a call takes arguments
  for (const issue of shaped.issues ?? []) issues.push(issue);
  if (shaped.issues !== undefined) return undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(shaped.value);
  } catch (error) {
    issues.push({ path: "", message: `cannot be written as JSON: ${(error as Error).message}` });
    return undefined;
  }
  if (schema === undefined) return text;
  const check = await schemas;
  // what is checked is what is sent: an undefined member is gone, a `Date` is text
  for (const issue of check(schema, text && JSON.parse(text))) issues.push(issue);
  return text;
}
