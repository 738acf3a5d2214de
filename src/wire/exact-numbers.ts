import { isInteger } from "./json.ts";

/** Whether a value is an integer from `minimum` on that can still grow. */
export function isCount(value: unknown, minimum = 0): value is number {
  return isInteger(value) && value >= minimum && value !== Number.MAX_SAFE_INTEGER;
}

/** Whether a number can be an ID: beyond 2^53 `JSON.parse` returns the same number for different ones. */
export function isExactNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** Returns an issue for each integer beyond 2^53: `JSON.parse` may have changed it, so it cannot be sent back. */
export function findInexact(value: unknown, path = ""): { path: string; message: string }[] {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [{ path, message: "is an integer that JavaScript cannot hold exactly" }];
  if (typeof value !== "object" || value === null) return [];
  const prefix = path === "" ? "" : `${path}.`;
  return Object.entries(value).flatMap(([name, inner]) => findInexact(inner, prefix + name));
}
