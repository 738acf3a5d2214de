type JsonObject = Record<string, unknown>;

/** Calls `visit` for each object in `value`, including `value` itself. */
export function visitObjects(value: unknown, visit: (object: JsonObject) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit(value as JsonObject);
  for (const property of Object.values(value)) visitObjects(property, visit);
}
