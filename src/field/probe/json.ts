export { type JsonObject, isObject, objectOf, objectsIn, parseJson } from "../../wire/json.ts";

export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
