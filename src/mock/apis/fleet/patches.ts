import type { Issue } from "../../http/api-response.ts";
import type { FleetContext } from "./context.ts";
import { CHANGES } from "./invented-properties.ts";
import { isObject } from "../../../wire/json.ts";

/** Returns the issues of the shape of a PATCH body. gap fleet.patch */
export function patchIssues({ body, readings }: FleetContext): Issue[] {
  if (readings["fleet.patch"] === "partial") return [];
  const { [CHANGES]: changes, ...others } = body;
  const issues = Object.keys(others).map((path) => ({ path, message: `must be a property of "${CHANGES}"` }));
  return isObject(changes) ? issues : [...issues, { path: CHANGES, message: "must be an object" }];
}

/** Returns the context with the changes of a PATCH as its body. gap fleet.patch */
export function withChanges(context: FleetContext): FleetContext {
  if (context.readings["fleet.patch"] === "partial") return context;
  const changes = context.body[CHANGES];
  return isObject(changes) ? { ...context, body: changes } : context;
}
