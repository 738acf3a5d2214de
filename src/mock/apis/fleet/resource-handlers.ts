import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { envelope, rowsIn, undocumentedPageResponse } from "./page.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import { archiveKey, type FleetData, type FleetResource, type FleetRow } from "./data.ts";
import {
  addRow,
  createdResponse,
  idOf,
  patchRow,
  readRow,
  replaceRow,
  type ReplaceRules,
  requireDeletable,
  requireReadable,
  requireRow,
} from "./rows.ts";
import { CHANGES, type WrittenResource } from "./unknown-input.ts";
import { containsJson } from "../../../wire/compare-json.ts";
import { isObject, stringsIn } from "../../../wire/json.ts";
import { fleetErrors } from "./errors.ts";

type Dependency = readonly [resource: FleetResource, belongsTo: (row: JsonObject, id: string) => boolean];

const ofVehicle = (row: JsonObject, id: string) => idOf(row, "vehicle") === id;

/** The resources that belong to another one. Like a vehicle field, a vehicle belongs to the groups in `groupIds`. */
const DEPENDENCIES: Partial<Record<FleetResource, readonly Dependency[]>> = {
  vehicles: [
    ["damages", ofVehicle],
    ["driverAssignments", ofVehicle],
  ],
  vehicleGroups: [["vehicles", (row, id) => stringsIn(row.groupIds).includes(id)]],
  inspectionTemplates: [["inspections", (row, id) => idOf(row, "template") === id]],
};

/** Returns the rows that belong to a row. gap fleet.delete-dependents */
function dependentsOf(
  data: FleetData,
  resource: FleetResource,
  id: string,
): (readonly [FleetResource, JsonObject])[] {
  return (DEPENDENCIES[resource] ?? []).flatMap(([dependent, belongsTo]) =>
    [...data[dependent].values()].filter((row) => belongsTo(row, id)).map((row) => [dependent, row] as const),
  );
}

/** Deletes a row, which can still be read under some readings. gaps fleet.deleted-resources, fleet.second-delete */
function archiveRow(data: FleetData, resource: FleetResource, id: string): void {
  const row = data[resource].get(id);
  if (row !== undefined) data.archived.set(archiveKey(resource, id), row);
  data[resource].delete(id);
}

/** Returns an issue if other rows belong to the row that a DELETE names. gap fleet.delete-dependents */
function dependentIssues(resource: FleetResource): (context: FleetContext) => Issue[] {
  return ({ data, params: { id }, readings }) => {
    if (readings["fleet.delete-dependents"] !== "rejected") return [];
    const isNeeded = dependentsOf(data, resource, id).length > 0;
    return isNeeded ? [{ path: "id", message: "names a resource that others belong to" }] : [];
  };
}

/** Deletes the row in the path, if it is not deleted already. gap fleet.delete-response */
function deleteRow(context: FleetContext, resource: FleetResource): ApiResponse {
  const { data, params, readings } = context;
  const { id } = params;
  // gap fleet.delete-dependents
  if (readings["fleet.delete-dependents"] === "deleted")
    for (const [dependent, row] of dependentsOf(data, resource, id))
      archiveRow(data, dependent, String(row.id));
  archiveRow(data, resource, id);
  return readings["fleet.delete-response"] === "no-content"
    ? { status: 204, body: undefined }
    : envelope(null);
}

/** Returns the issues of the shape of a PATCH body. gap fleet.patch */
function patchIssues({ body, readings }: FleetContext): Issue[] {
  if (readings["fleet.patch"] === "partial") return [];
  const { [CHANGES]: changes, ...others } = body;
  const issues = Object.keys(others).map((path) => ({ path, message: `must be a property of "${CHANGES}"` }));
  return isObject(changes) ? issues : [...issues, { path: CHANGES, message: "must be an object" }];
}

/** Returns the context with the changes of a PATCH as its body. gap fleet.patch */
function withChanges(context: FleetContext): FleetContext {
  if (context.readings["fleet.patch"] === "partial") return context;
  const changes = context.body[CHANGES];
  return isObject(changes) ? { ...context, body: changes } : context;
}

/** Returns the handler of a POST that recognizes a resource with everything in its body. gap fleet.repeated-post */
function withRepeatedPosts(resource: WrittenResource, handler: FleetHandler): FleetHandler {
  const run: FleetHandler["run"] = (context) => {
    const reading = context.readings["fleet.repeated-post"];
    const known = reading === "two-resources" ? undefined : findKnown(context, resource);
    if (known === undefined) return handler.run(context);
    if (reading === "first-returned") return createdResponse(context, known);
    const issues = [{ path: "", message: "describes a resource that exists" }];
    return { ...fleetErrors.invalid(issues, context.readings), violations: issues };
  };
  return { ...handler, run };
}

function findKnown({ data, body }: FleetContext, resource: WrittenResource): JsonObject | undefined {
  const { damages: _damages, ...properties } = body; // the damages of an inspection are not in its row
  if (Object.keys(properties).length === 0) return undefined;
  return [...data[resource].values()].find((row) => containsJson(row, properties));
}

type ResourceHandlers = Readonly<
  Record<"list" | "get" | "create" | "replace" | "patch" | "delete", FleetHandler>
>;

/** A function that returns the row that a write has stored. */
type Write = (context: FleetContext) => FleetRow;

type View = (row: FleetRow, context: FleetContext) => JsonObject;

/** The differences of a resource from a collection of open objects. */
interface ResourceRules extends Omit<ReplaceRules, "defaults"> {
  /** The values of a new row that documented responses show, whatever its body has. */
  readonly defaults?: ((context: FleetContext) => JsonObject) | undefined;
  /** The response of the GET of one row. Default: the row. */
  readonly detail?: View;
  /** The response to a write. Default: the row. */
  readonly summary?: View;
  readonly add?: Write;
  readonly replace?: Write;
  readonly patch?: Write;
}

export function resourceHandlers(resource: WrittenResource, rules: ResourceRules = {}): ResourceHandlers {
  const { detail = theRow, summary = theRow } = rules;
  const own = { ...openWrites(resource, rules), ...rules };
  const opaque = openWrites(resource, { defaults: rules.defaults });
  // gap fleet.input-shapes: a template keeps its version and times, which the documented list shows
  const isOpaque = ({ readings }: FleetContext): boolean =>
    readings["fleet.input-shapes"] === "opaque" && resource !== "inspectionTemplates";
  const write = (name: "replace" | "patch", context: FleetContext): JsonObject =>
    isOpaque(context) ? opaque[name](context) : summary(own[name](context), context);
  return {
    list: { run: (context) => undocumentedPageResponse(context, rowsIn(context, resource)) },
    get: {
      find: requireReadable(resource),
      run: (context) => envelope(detail(readRow(context, resource) ?? { id: context.params.id }, context)),
    },
    create: withRepeatedPosts(resource, {
      run: (context) => {
        if (!isOpaque(context)) return createdResponse(context, summary(own.add(context), context));
        return createdResponse(context, { ...context.body, id: opaque.add(context).id });
      },
    }),
    replace: { find: requireRow(resource), run: (context) => envelope(write("replace", context)) },
    patch: {
      find: requireRow(resource),
      check: patchIssues,
      run: (context) => envelope(write("patch", withChanges(context))),
    },
    delete: {
      find: requireDeletable(resource),
      check: dependentIssues(resource),
      run: (context) => deleteRow(context, resource),
    },
  };
}

function theRow(row: FleetRow): JsonObject {
  return row;
}

/** Writes that store a body as it is. */
function openWrites(
  resource: WrittenResource,
  { defaults, preserved, synonyms }: ResourceRules,
): Readonly<Record<"add" | "replace" | "patch", Write>> {
  const initial = (context: FleetContext): JsonObject => defaults?.(context) ?? {};
  return {
    add: (context) => addRow(context, resource, { ...initial(context), ...context.body }),
    replace: (context) => replaceRow(context, resource, { defaults: initial(context), preserved, synonyms }),
    patch: (context) => patchRow(context, resource, synonyms),
  };
}
