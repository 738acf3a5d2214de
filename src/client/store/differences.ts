import { storeInputs } from "../../../generated/store.inputs.ts";
import { isSameJson } from "../../wire/compare-json.ts";
import { isObject, isTooDeep, type JsonObject } from "../../wire/json.ts";
import type { Issue } from "../core/errors/issue.ts";
import type { InputProperties } from "./inputs.ts";

/** The properties of a store, besides its lists. */
export const storeProperties: InputProperties = storeInputs.StoreUpsert;

/** Returns the present properties that the contract names for the input. */
export function pick(source: object, { sent }: InputProperties): JsonObject {
  const entries = Object.entries(source).filter(
    ([name, value]) => sent.includes(name) && value !== undefined,
  );
  return Object.fromEntries(entries);
}

/** Returns the reasons why an entity that was read cannot be sent back as a whole. */
export function findMissing(entity: unknown, { required, nullable }: InputProperties, path = ""): Issue[] {
  if (!isObject(entity)) return [{ path, message: "is not an object" }];
  if (isTooDeep(entity)) return [{ path, message: "is nested more than 500 levels deep" }];
  const prefix = path === "" ? "" : `${path}.`;
  const missing = [
    ...required.filter((name) => entity[name] === undefined || entity[name] === null),
    ...nullable.filter((name) => entity[name] === undefined),
  ];
  return missing.map((name) => ({ path: prefix + name, message: "is missing in the response" }));
}

/** Returns the properties of the first object whose values the second one does not have. */
export function differingProperties(expected: object, actual: object): string[] {
  const values: JsonObject = { ...actual };
  return Object.entries(expected)
    .filter(([name, value]) => !isSameJson(comparable(name, value), comparable(name, values[name])))
    .map(([name]) => name);
}

const uuids = new Set(["storeId", "regionId", "protocolScheduleId", "expositionId"]);

/** A null list of opening times is an empty one in a response, and a UUID may be written in either case. */
function comparable(name: string, value: unknown): unknown {
  if (name === "openingTimes" && value === null) return [];
  return uuids.has(name) && typeof value === "string" ? value.toLowerCase() : value;
}
