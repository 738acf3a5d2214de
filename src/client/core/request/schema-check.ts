// Loaded with the first write, or with the first response under `validate: "full"`: programs that only read do not load
// zod.
import * as z from "zod/mini";
import { findInexact } from "../../../wire/exact-numbers.ts";
import { issueMessage } from "../../../wire/issue-message.ts";
import { formatPath, type Issue } from "../errors/issue.ts";

/** Validates a value with a generated schema, by the schema's name. */
export type SchemaCheck = (schema: string, value: unknown) => Issue[];

/** Validates values with the generated schemas of one API. */
export function checkWith(schemas: Readonly<Record<string, unknown>>): SchemaCheck {
  return (name, value) => {
    // the names come from the table generated with the schemas
    const schema = schemas[name] as z.ZodMiniType;
    try {
      const { error } = z.safeParse(schema, value);
      if (error === undefined) return findInexact(value);
      return error.issues.map((issue) => ({
        path: formatPath(issue.path),
        message: issueMessage(issue, value),
      }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // too many issues for the engine's stack
      return [{ path: "", message: "has more issues than can be listed" }];
    }
  };
}
