// Loaded with the first write, query, or response under `validate: "full"`: other programs do not load zod.
import * as z from "zod/mini";
import { issueMessage } from "../wire/issue-message.ts";
import type { SchemaCheck } from "./core.ts";

/** Validates values with the generated schemas of one API. */
export function checkWith(schemas: Readonly<Record<string, unknown>>): SchemaCheck {
  return (name, value) => {
    const { error } = z.safeParse(schemas[name] as z.ZodMiniType, value); // the names come from the same generator
    if (error === undefined) return [];
    return error.issues.map((issue) => ({
      path: issue.path.map(String).join("."),
      message: issueMessage(issue, value),
    }));
  };
}
