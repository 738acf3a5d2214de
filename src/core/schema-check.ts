// Loaded on the first write, or the first answer under `validate: "full"`: readers never pay for zod.
import en from "zod/v4/locales/en.js";
import * as z from "zod/mini";
import type { SchemaCheck } from "./http.ts";
import { dotted } from "./issue.ts";

const { localeError } = en();

/** Checks values against the generated schemas of one API. */
export function checkWith(schemas: Readonly<Record<string, unknown>>): SchemaCheck {
  return (name, value) => {
    const schema = schemas[name] as z.ZodMiniType;
    const result = z.safeParse(schema, value, { error: localeError });
    if (result.success) return [];
    return result.error.issues.map(({ path, message }) => ({ path: dotted(path), message }));
  };
}
