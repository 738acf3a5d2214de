/**
 * A minimal model of the fleet inspection API, written from the contract and the gap register. It shares no
 * code with the clients and the reference server.
 */
import { checkQuery, isUuid, parseQuery, type QueryRules } from "./checks.ts";
import {
  fetchFrom,
  isObject,
  jsonResponse,
  type Model,
  type ModelRequest,
  type ModelResponse,
  parseJson,
} from "./exchange.ts";
import {
  canCarry,
  disputed,
  type Environment,
  findKey,
  keyText,
  opens,
  tableScopes,
} from "./fleet-access.ts";
import {
  listFields,
  listFieldVehicles,
  listTemplates,
  openList,
  openPageQuery,
  pageQuery,
  templateQuery,
  withRememberedFilters,
} from "./fleet-lists.ts";
import {
  type Collection,
  type Entity,
  type FleetSeed,
  type FleetState,
  seedFleetState,
} from "./fleet-state.ts";
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
  badRequest,
  findEntity,
  type FleetCall,
  type FleetOperation,
  type FleetWorld,
  forbidden,
  notFound,
  success,
  unauthorized,
} from "./fleet-world.ts";
import { create, patch, put, remove, type Resource } from "./fleet-writes.ts";
import { chooseReadings, fleetGaps, type FleetReadings, type GivenReadings } from "./readings.ts";
import { createRandom } from "./random.ts";
import { createRouter } from "./routes.ts";
import { createThrottle, type RateLimit } from "./throttle.ts";

const basePath = "/api/third-party/v1";

export interface FleetModelOptions extends FleetSeed {
  readonly readings?: GivenReadings;
  /** State to start from instead of a seed, keys included. It is copied. */
  readonly state?: FleetState;
  /** Default `sandbox`. */
  readonly environment?: Environment;
  /** Default `fleet`. */
  readonly keyPrefix?: string;
  /** The clock in milliseconds. Default: it stands still on 15 June 2026. */
  readonly now?: () => number;
  /** The limit under `limits.fleet-rate: too-many-requests`. Default: 60 requests a minute. */
  readonly rate?: RateLimit;
}

export interface FleetModel extends Model<FleetState> {
  readonly readings: FleetReadings;
  /** A key with every scope of the contract's table. */
  readonly key: string;
  /** Makes a key. Undefined where the readings refuse one with these scopes. */
  makeKey(scopes: readonly string[]): string | undefined;
  /** From now on the key gives 401. */
  revokeKey(key: string): void;
}

const resources = {
  vehicles: {
    collection: "vehicles",
    label: "Vehicle",
    view: vehicleView,
    input: { plateNumber: "", brand: "", model: "", vin: "", type: "TRACTOR_UNIT", groupIds: [] },
    readOnly: ["id"],
    seen: { member: "type", values: ["TRACTOR_UNIT"], gap: "vehicles.type-values" },
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
    seen: { member: "status", values: ["COMPLETED"], gap: "inspections.status-values" },
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
    seen: {
      member: "status",
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
  readonly isShown?: boolean;
}

function getOne(
  world: FleetWorld,
  call: FleetCall,
  { collection, label, view }: Omit<Resource, "input" | "readOnly">,
): ModelResponse {
  const entity = findEntity(world, collection, call.path["id"]);
  return entity ? success(world, call, view(world, entity)) : notFound(label);
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
      openList(world, call, collection, (entity) => view(world, entity)),
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
    isPathOnly: options.isShown !== true,
    query: verb === "list" ? openPageQuery(readings) : {},
    run: (world, call) => run(world, call, resource),
  };
}

/** `GET /inspection-templates/{id}`, which only the scope table names. */
function getTemplate(readings: FleetReadings): FleetOperation[] {
  const reading = readings["templates.get-one"];
  if (reading === "absent") return [];
  const view = reading === "by-path" ? openTemplateView : templateView;
  return [
    operationOf({ ...resources.templates, view }, "get", readings, { isShown: reading === "list-element" }),
  ];
}

/** The endpoints of contract section 4 whose shape is shown. */
function shownOperations(readings: FleetReadings): FleetOperation[] {
  const { inspections, damages } = resources;
  const fieldScopes = [["vehicle-fields:read"], ["vehicles:read"], ["vehicles:write"]];
  const extraScopes = readings["scopes.field-vehicles"] === "extra-scopes";
  return [
    {
      id: "GET /inspection-templates",
      method: "GET",
      path: "/inspection-templates",
      scopes: disputed(readings["scopes.list-templates"], "inspection-templates:read", "inspections:read"),
      isPathOnly: false,
      query: templateQuery(readings),
      run: listTemplates,
    },
    operationOf(inspections, "get", readings, { isShown: true }),
    {
      id: "GET /vehicle-fields",
      method: "GET",
      path: "/vehicle-fields",
      scopes: fieldScopes,
      isPathOnly: false,
      query: { ...pageQuery(readings), search: { type: "text" } },
      run: listFields,
    },
    {
      id: "GET /vehicle-fields/{id}/vehicles",
      method: "GET",
      path: "/vehicle-fields/{id}/vehicles",
      scopes: extraScopes ? fieldScopes : fieldScopes.slice(0, 1),
      isPathOnly: false,
      query: {
        ...pageQuery(readings),
        search: { type: "text" },
        status: { type: "text", values: ["OK", "WARNING", "NOT_OK"] },
      },
      run: listFieldVehicles,
    },
    operationOf(damages, "get", readings, {
      isShown: true,
      scopes: disputed(readings["scopes.get-damage"], "damages:read", "vehicles:read"),
    }),
  ];
}

/** The endpoints that are known by method and path only. */
const pathOnly: readonly [Resource, readonly Verb[]][] = [
  [resources.vehicles, ["list", "get", "create", "put", "delete"]],
  [resources.groups, ["list", "get", "create", "put", "delete"]],
  [resources.inspections, ["list", "create", "patch", "delete"]],
  [resources.templates, ["create", "put", "delete"]],
  [resources.damages, ["list", "create", "put", "delete"]],
  [resources.assignments, ["list", "get", "create", "patch", "delete"]],
];

function createOperations(readings: FleetReadings): FleetOperation[] {
  const open = pathOnly.flatMap(([resource, names]) =>
    names.map((verb) => operationOf(resource, verb, readings)),
  );
  return [...shownOperations(readings), ...open, ...getTemplate(readings)];
}

/** Why the version header is refused. */
function versionProblem(header: string | undefined, readings: FleetReadings): string | undefined {
  if (header === undefined)
    return readings["fleet.version-header"] === "required" ? "X-Service-API-Version is missing" : undefined;
  return header !== "v1" && readings["fleet.unknown-version"] === "rejected"
    ? "Unknown API version"
    : undefined;
}

/** Media types of bodies. The contract names the type for POST and PUT only. */
function bodyProblem({ method, headers, body }: ModelRequest, readings: FleetReadings): string | undefined {
  if (method === "GET" || method === "DELETE") return undefined;
  const type = headers?.["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  const isMergePatch = method === "PATCH" && readings["fleet.patch-content-type"] === "merge-patch";
  if (type !== (isMergePatch ? "application/merge-patch+json" : "application/json"))
    return "Wrong Content-Type";
  return isObject(parseJson(body ?? "")) ? undefined : "The body is not a JSON object";
}

function queryProblem(call: FleetCall, readings: FleetReadings): string | undefined {
  const { operation, query } = call;
  const isOpenList = operation.isPathOnly && operation.method === "GET" && !operation.path.endsWith("{id}");
  const unknown = readings[isOpenList ? "lists.unknown-filters" : "fleet.unknown-members"];
  const [issue] = checkQuery(query, operation.query, {
    form: "rfc3339",
    rejectUnknown: unknown === "rejected",
  });
  return issue && `${issue.path} ${issue.message}`;
}

/** Only the IDs of inspections have a form, so only they can be malformed. */
function idProblem({ operation, path }: FleetCall, readings: FleetReadings): string | undefined {
  const id = path["id"];
  const isChecked = operation.path === "/inspections/{id}" && readings["fleet.malformed-ids"] === "invalid";
  return isChecked && !isUuid(id ?? "") ? "The ID is not a UUID" : undefined;
}

function execute(world: FleetWorld, call: FleetCall, request: ModelRequest): ModelResponse {
  const { readings } = world;
  const { operation, key } = call;
  if (!opens(key, operation.scopes, readings))
    return forbidden(world, [...new Set(operation.scopes.flat())], key.scopes);
  const problem =
    versionProblem(request.headers?.["x-service-api-version"], readings) ??
    idProblem(call, readings) ??
    queryProblem(call, readings) ??
    bodyProblem(request, readings);
  if (problem !== undefined) return badRequest(world, problem);
  const parsed = request.body ? parseJson(request.body) : undefined;
  return operation.run(world, {
    ...withRememberedFilters(world, call),
    body: isObject(parsed) ? parsed : {},
  });
}

function indexOf(state: FleetState): FleetWorld["index"] {
  const of = (collection: Collection): Map<string, Entity> =>
    new Map(state.entities[collection].map((entity) => [entity.id, entity]));
  return {
    vehicles: of("vehicles"),
    "vehicle-groups": of("vehicle-groups"),
    "vehicle-fields": of("vehicle-fields"),
    "inspection-templates": of("inspection-templates"),
    inspections: of("inspections"),
    damages: of("damages"),
    "driver-assignments": of("driver-assignments"),
  };
}

function hexKey(seed: number): string {
  const random = createRandom(seed);
  return Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join("");
}

export function createFleetModel(options: FleetModelOptions = {}): FleetModel {
  const readings = chooseReadings(fleetGaps, options.readings);
  const clock = options.now ?? (() => Date.UTC(2026, 5, 15, 12));
  const form = { prefix: options.keyPrefix ?? "fleet", environment: options.environment ?? "sandbox" };
  const state = options.state ? structuredClone(options.state) : seedFleetState(options, readings);
  const world: FleetWorld = {
    readings,
    applied: [],
    state,
    index: indexOf(state),
    references: undefined,
    now: () => new Date(clock()).toISOString(),
  };
  const route = createRouter(createOperations(readings));
  const throttle = createThrottle(readings["limits.fleet-rate"] === "none" ? "off" : options.rate, clock);
  const makeKey = (scopes: readonly string[]): string | undefined => {
    if (!canCarry(scopes, readings)) return undefined;
    const key = keyText(form, hexKey(state.seed * 1000 + state.keys.length));
    state.keys.push({ key, scopes: [...scopes], dead: false });
    return key;
  };
  const handle = (request: ModelRequest): ModelResponse => {
    state.requests += 1;
    const key = findKey(request.headers?.["authorization"], state.keys, form, readings);
    if (!key) return unauthorized("Invalid or missing API key");
    const wait = throttle(key.key);
    if (wait)
      return jsonResponse(
        429,
        { errors: [{ code: "TOO_MANY_REQUESTS", message: "Too many requests" }] },
        wait,
      );
    const [pathname = "", search = ""] = request.target.split("?", 2);
    const match = pathname.startsWith(`${basePath}/`)
      ? route(request.method, pathname.slice(basePath.length))
      : undefined;
    if (!match?.route) return notFound("Path");
    const call = {
      operation: match.route,
      target: request.target,
      path: match.path,
      query: parseQuery(search),
      body: {},
      key,
    };
    return execute(world, call, request);
  };
  return {
    readings,
    key: state.keys[0]?.key ?? makeKey(tableScopes) ?? "",
    makeKey,
    revokeKey(text) {
      for (const record of state.keys) if (record.key === text) record.dead = true;
    },
    handle,
    fetch: fetchFrom(handle),
    applied: world.applied,
    state,
    change(edit) {
      edit(state);
      world.index = indexOf(state);
      world.references = undefined;
    },
  };
}
