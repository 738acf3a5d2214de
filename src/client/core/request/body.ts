import type { Issue } from "../errors/issue.ts";
import { findJsonLoss } from "./json-loss.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { applyShape, type Shape } from "./shape.ts";

/**
 * Serializes a body as JSON; adds an issue for each reason why it cannot be sent. The JSON is created before the
 * schemas are awaited, so that later changes by the caller have no effect.
 */
export async function serializeBody(
  schema: string,
  { body, bodyShape }: { body?: unknown; bodyShape?: Shape | undefined },
  schemas: Promise<SchemaCheck>,
  issues: Issue[],
): Promise<string | undefined> {
  const shaped = bodyShape === undefined ? { value: body } : await applyShape(bodyShape, body);
  // one by one: there may be more issues than a call can have arguments
  for (const issue of shaped.issues ?? []) issues.push(issue);
  if (shaped.issues !== undefined) return undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(shaped.value);
    const lost = findJsonLoss(shaped.value);
    for (const issue of lost) issues.push(issue);
    if (lost.length > 0) return undefined;
  } catch (error) {
    issues.push({ path: "", message: `cannot be written as JSON: ${(error as Error).message}` });
    return undefined;
  }
  const check = await schemas;
  // the JSON is validated, not the value: in JSON an undefined property is absent and a `Date` is a string
  for (const issue of check(schema, text && JSON.parse(text))) issues.push(issue);
  return text;
}
