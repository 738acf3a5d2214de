/** Returns an issue for each integer beyond 2^53: `JSON.parse` may have changed it, so it cannot be sent back. */
export function findInexact(value: unknown, path = ""): { path: string; message: string }[] {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [{ path, message: "is an integer that JavaScript cannot hold exactly" }];
  if (typeof value !== "object" || value === null) return [];
  const prefix = path === "" ? "" : `${path}.`;
  return Object.entries(value).flatMap(([name, inner]) => findInexact(inner, prefix + name));
}
