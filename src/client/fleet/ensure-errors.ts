/** The errors of `ensure` about what the service has. */
import { containsJson } from "../../wire/compare-json.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { WriteError } from "../core/errors/response-errors.ts";

/** The service does not have what was sent. */
export function difference(now: unknown, desired: object): WriteError {
  const actual: JsonObject = isObject(now) ? now : {};
  const differing = Object.entries(desired).filter(
    ([name, value]) => value !== undefined && !containsJson(actual[name], value),
  );
  const issues = differing.map(([path]) => ({ path, message: "has another value" }));
  return new WriteError("ensure", "differs", "was sent, and the service has other values", issues);
}

/** An entry of a list may be a summary without the key, and a list may leave out an entity. */
export function unlisted(): WriteError {
  const issues = [
    { path: "key", message: "is that of no entry of the list: another run would create the entity again" },
  ];
  return new WriteError("ensure", "differs", "was sent, and the list does not show it", issues);
}

/** The entity that was read is not the requested one. */
export function otherEntity(reason: string, path = "id"): WriteError {
  const issues = [{ path, message: "differs from the requested one" }];
  return new WriteError("ensure", "other-entity", `not sent: ${reason}`, issues);
}

/** So many entities have one key. */
export function ambiguous(count: number): WriteError {
  const issues = [{ path: "key", message: `is that of ${count} entities` }];
  return new WriteError("ensure", "ambiguous", "several entities fit", issues);
}
