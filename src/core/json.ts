/** A JSON object whose members the contract does not show, or does not show all of. */
export interface JsonObject {
  [member: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
