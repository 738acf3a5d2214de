import { isObject, type JsonObject } from "../../../wire/json.ts";

/** Returns a function that reads the ID of an item as the service sent it. */
export function idReader(properties: readonly string[], identify?: unknown) {
  return (sent: unknown): string | undefined => {
    if (!isObject(sent)) return undefined;
    if (typeof identify === "function")
      return (identify as (item: JsonObject) => string)(structuredClone(sent));
    const id = properties
      .map((name) => sent[name])
      .find((value) => (typeof value === "string" && value !== "") || Number.isSafeInteger(value));
    return typeof id === "number" ? String(id) : (id as string | undefined);
  };
}
