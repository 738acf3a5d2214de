import type { Issue } from "../errors/issue.ts";
import { findJsonLoss } from "../../../wire/json-loss.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { readShapeResult, type Shape } from "./shape.ts";

/**
 * Serializes a body as JSON, or lists the reasons why it cannot be sent. The JSON is created at once, so that later
 * changes by the caller have no effect, unless the shape returns a promise.
 */
export async function serializeBody(
  schema: string,
  { body, bodyShape }: { body?: unknown; bodyShape?: Shape | undefined },
  schemas: Promise<SchemaCheck>,
): Promise<{ text?: string | undefined; issues: readonly Issue[] }> {
  const result = bodyShape?.["~standard"].validate(body);
  const shaped =
    result === undefined ? { value: body } : readShapeResult("then" in result ? await result : result);
  if (shaped.issues !== undefined) return { issues: shaped.issues };
  let text: string | undefined;
  try {
    text = JSON.stringify(shaped.value);
    const issues = findJsonLoss(shaped.value);
    if (issues.length > 0) return { issues };
  } catch (error) {
    const { message } = error as Error; // only a caller's `toJSON` could throw something else
    return { issues: [{ path: "", message: `cannot be written as JSON: ${message}` }] };
  }
  const check = await schemas;
  // the JSON is validated, not the value: in JSON an undefined property is absent and a `Date` is a string
  return { text, issues: check(schema, text && JSON.parse(text)) };
}
