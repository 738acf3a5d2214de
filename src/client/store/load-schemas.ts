import type { SchemaCheck } from "../core/request/schema-check.ts";

/** Loads zod and the schemas of the store API. */
export async function loadSchemas(): Promise<SchemaCheck> {
  const [{ checkWith }, schemas] = await Promise.all([
    import("../core/request/schema-check.ts"),
    import("../../../generated/store.schemas.ts"),
  ]);
  return checkWith(schemas);
}
