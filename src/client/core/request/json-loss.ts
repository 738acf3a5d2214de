import type { Issue } from "../errors/issue.ts";

/** Returns an issue for each value that JSON would silently replace by null or `{}`, or leave out. */
export function findJsonLoss(value: unknown, path = ""): Issue[] {
  const what = describeLoss(value);
  if (what !== undefined) return [{ path, message: `is ${what}, which JSON cannot hold` }];
  if (typeof value !== "object" || value === null || "toJSON" in value) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findJsonLoss(inner, path === "" ? name : `${path}.${name}`),
  );
}

function describeLoss(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["function", "symbol", "bigint"].includes(typeof value)) return `a ${typeof value}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if ("then" in value && typeof value.then === "function") return "a promise";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid date" : undefined;
  // independent of the realm, as objects of test runners and of `structuredClone` can be those of another one
  const [, tag = ""] = /^\[object (.*)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  const isHidden = tag !== "Object" && !("toJSON" in value) && Object.keys(value).length === 0;
  return isHidden ? `a ${tag}` : undefined;
}
