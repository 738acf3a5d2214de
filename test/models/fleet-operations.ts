/** The operations of the fleet model, as the tables of contract sections 4 and 5 list them. */
import type { QueryRules } from "./checks.ts";
import type { ModelResponse } from "./exchange.ts";
import { disputed } from "./fleet-access.ts";
import {
  listFields,
  listFieldVehicles,
  listTemplates,
  openList,
  openPageQuery,
  pageQuery,
  templateQuery,
} from "./fleet-lists.ts";
import {
  assignmentView,
  damageView,
  groupView,
  inspectionView,
  openTemplateView,
  templateView,
  vehicleView,
} from "./fleet-views.ts";
import {
  findEntity,
  type FleetCall,
  type FleetOperation,
  type FleetWorld,
  notFound,
  success,
} from "./fleet-world.ts";
import { create, patch, put, remove, type Resource, viewOf } from "./fleet-writes.ts";
import type { FleetReadings } from "./readings.ts";
import type { Route } from "./routes.ts";

const resources = {
  vehicles: {
    collection: "vehicles",
    label: "Vehicle",
    view: vehicleView,
    input: { plateNumber: "", brand: "", model: "", vin: "", type: "TRACTOR_UNIT", groupIds: [] },
    readOnly: ["id"],
    listed: { property: "type", values: ["TRACTOR_UNIT"], gap: "vehicles.type-values" },
  },
  groups: {
    collection: "vehicle-groups",
    label: "Vehicle group",
    view: groupView,
    input: { name: "" },
    readOnly: ["id"],
  },
  inspections: {
    collection: "inspections",
    label: "Inspection",
    view: inspectionView,
    input: { templateId: "", vehicleIds: [], status: "COMPLETED", location: {}, notes: "", responses: [] },
    readOnly: ["id", "damages", "template", "performedAt", "performedBy", "vehicles"],
    listed: { property: "status", values: ["COMPLETED"], gap: "inspections.status-values" },
  },
  templates: {
    collection: "inspection-templates",
    label: "Inspection template",
    view: templateView,
    input: { title: "", description: "", isActive: true, items: [], groupIds: [] },
    readOnly: ["id", "version", "createdAt", "updatedAt", "itemCount", "inspectionCount"],
  },
  damages: {
    collection: "damages",
    label: "Damage",
    view: damageView,
    input: {
      vehicleId: null,
      description: "",
      photoUrl: null,
      status: "TO_REPAIR_WARNING",
      assignedToId: null,
      repairedAt: null,
      inspectionId: null,
    },
    readOnly: ["id", "vehicle", "reportedAt", "reportedBy", "assignedTo", "inspection"],
    listed: {
      property: "status",
      values: ["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"],
      gap: "damages.status-values",
    },
  },
  assignments: {
    collection: "driver-assignments",
    label: "Driver assignment",
    view: assignmentView,
    input: { vehicleId: null, driverId: null, startsAt: null, endsAt: null },
    readOnly: ["id"],
  },
} as const satisfies Record<string, Resource>;

interface OperationOptions {
  readonly scopes?: FleetOperation["scopes"];
  readonly query?: QueryRules;
  readonly isDocumented?: boolean;
}

function getOne(
  world: FleetWorld,
  call: FleetCall,
  { collection, label, view }: Omit<Resource, "input" | "readOnly">,
): ModelResponse {
  const entity = findEntity(world, collection, call.path["id"]);
  return entity ? success(world, call, viewOf({ view }, world, entity)) : notFound(label);
}

type Verb = "list" | "get" | "create" | "put" | "patch" | "delete";

const verbs: Record<
  Verb,
  {
    method: string;
    onItem: boolean;
    scope: "read" | "write";
    run: (world: FleetWorld, call: FleetCall, resource: Resource) => ModelResponse;
  }
> = {
  list: {
    method: "GET",
    onItem: false,
    scope: "read",
    run: (world, call, { collection, view }) =>
      openList(world, call, collection, (entity) => viewOf({ view }, world, entity)),
  },
  get: { method: "GET", onItem: true, scope: "read", run: getOne },
  create: { method: "POST", onItem: false, scope: "write", run: create },
  put: { method: "PUT", onItem: true, scope: "write", run: put },
  patch: { method: "PATCH", onItem: true, scope: "write", run: patch },
  delete: { method: "DELETE", onItem: true, scope: "write", run: remove },
};

function operationOf(
  resource: Resource,
  verb: Verb,
  readings: FleetReadings,
  options: OperationOptions = {},
): FleetOperation {
  const { method, onItem, scope, run } = verbs[verb];
  const { collection } = resource;
  const path = `/${collection}${onItem ? "/{id}" : ""}`;
  return {
    id: `${method} ${path}`,
    method,
    path,
    scopes: options.scopes ?? [[`${collection}:${scope}`]],
    isPathOnly: options.isDocumented !== true,
    query: verb === "list" ? openPageQuery(readings) : {},
    run: (world, call) => run(world, call, resource),
  };
}

/** `GET /inspection-templates/{id}`, which only the scope table names. */
function getTemplate(readings: FleetReadings): FleetOperation | undefined {
  const reading = readings["templates.get-one"];
  if (reading === "absent") return undefined;
  const view = reading === "by-path" ? openTemplateView : templateView;
  return operationOf({ ...resources.templates, view }, "get", readings, {
    isDocumented: reading === "list-element",
  });
}

const fieldScopes = [["vehicle-fields:read"], ["vehicles:read"], ["vehicles:write"]];

/** An operation, which may depend on readings. They are asked for when a request arrives. */
interface FleetRoute extends Route {
  readonly operation: (readings: FleetReadings) => FleetOperation | undefined;
}

type DocumentedList = (readings: FleetReadings) => Pick<FleetOperation, "scopes" | "query" | "run">;

function listRoute(path: string, list: DocumentedList): FleetRoute {
  const facts = { id: `GET ${path}`, method: "GET", path, isPathOnly: false };
  return { method: "GET", path, operation: (readings) => ({ ...facts, ...list(readings) }) };
}

/** The endpoints of contract section 4 whose shape is shown. */
const documented: readonly FleetRoute[] = [
  listRoute("/inspection-templates", (readings) => ({
    scopes: disputed(readings["scopes.list-templates"], "inspection-templates:read", "inspections:read"),
    query: templateQuery(readings),
    run: listTemplates,
  })),
  {
    method: "GET",
    path: "/inspections/{id}",
    operation: (readings) => operationOf(resources.inspections, "get", readings, { isDocumented: true }),
  },
  listRoute("/vehicle-fields", (readings) => ({
    scopes: fieldScopes,
    query: { ...pageQuery(readings), search: { type: "text" } },
    run: listFields,
  })),
  listRoute("/vehicle-fields/{id}/vehicles", (readings) => ({
    scopes: readings["scopes.field-vehicles"] === "extra-scopes" ? fieldScopes : fieldScopes.slice(0, 1),
    query: {
      ...pageQuery(readings),
      search: { type: "text" },
      status: { type: "text", values: ["OK", "WARNING", "NOT_OK"] },
    },
    run: listFieldVehicles,
  })),
  {
    method: "GET",
    path: "/damages/{id}",
    operation: (readings) =>
      operationOf(resources.damages, "get", readings, {
        isDocumented: true,
        scopes: disputed(readings["scopes.get-damage"], "damages:read", "vehicles:read"),
      }),
  },
  { method: "GET", path: "/inspection-templates/{id}", operation: getTemplate },
];

/** The endpoints that are known by method and path only. */
const pathOnly: readonly [Resource, readonly Verb[]][] = [
  [resources.vehicles, ["list", "get", "create", "put", "delete"]],
  [resources.groups, ["list", "get", "create", "put", "delete"]],
  [resources.inspections, ["list", "create", "patch", "delete"]],
  [resources.templates, ["create", "put", "delete"]],
  [resources.damages, ["list", "create", "put", "delete"]],
  [resources.assignments, ["list", "get", "create", "patch", "delete"]],
];

export const routes: readonly FleetRoute[] = [
  ...documented,
  ...pathOnly.flatMap(([resource, names]) =>
    names.map((verb) => {
      const { method, onItem } = verbs[verb];
      const path = `/${resource.collection}${onItem ? "/{id}" : ""}`;
      return { method, path, operation: (readings: FleetReadings) => operationOf(resource, verb, readings) };
    }),
  ),
];
