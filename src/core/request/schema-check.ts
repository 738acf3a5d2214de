// Loaded on the first write, or the first response under `validate: "full"`: readers never pay for zod.
import en from "zod/v4/locales/en.js";
import * as z from "zod/mini";
import { dotted, type Issue } from "../errors/issue.ts";

const { localeError } = en();

/** Checks a value against a generated schema by its name. */
export type SchemaCheck = (schema: string, value: unknown) => Issue[];

/** Checks values against the generated schemas of one API. */
export function checkWith(schemas: Readonly<Record<string, unknown>>): SchemaCheck {
  return (name, value) => {
    const schema = schemas[name] as z.ZodMiniType;
    const result = parsed(schema, value);
    if (result === undefined) return [{ path: "", message: "has more wrong with it than can be listed" }];
    if (result.success) return [];
    return result.error.issues.map(({ path, message }) => ({ path: dotted(path), message }));
  };
}

/** What a schema makes of a value; undefined where its issues are too many for the engine's stack. */
function parsed(schema: z.ZodMiniType, value: unknown): ReturnType<typeof z.safeParse> | undefined {
  try {
    return z.safeParse(schema, value, { error: localeError });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
