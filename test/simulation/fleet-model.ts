/**
 * The fleet inspection API as the simulation plays it, written from the contract and the gap register: every reading
 * that concerns paging, writes, retries and authentication. Where the contract shows no properties, they are invented.
 */
import { type Json, type JsonObject, jsonResponse, type ModelResponse } from "../models/exchange.ts";
import { chooseReadings, fleetGaps, type FleetReadings, type GivenReadings } from "../models/readings.ts";
import { type Collection, type Entity, type FleetState, instant, nextId, user } from "./fleet-data.ts";
import type { World as Sizes } from "./scenario.ts";
import { type CheckedRequest, matchPath, type SimulatedModel } from "./model.ts";

interface Call {
  readonly readings: FleetReadings;
  readonly state: FleetState;
  readonly now: () => string;
  /** Vehicles have no ID. */
  readonly isAnonymous: boolean;
  /** Lists without pagination end there. */
  readonly cap: number;
  readonly operation: Operation;
  readonly path: string;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly collection: Collection;
  /** The contract shows its response. */
  readonly isDocumented: boolean;
  readonly run: (call: Call) => ModelResponse;
}

function failure(status: number, code: string, details?: JsonObject): ModelResponse {
  const more = details === undefined ? {} : { details };
  return jsonResponse(status, { errors: [{ code, message: `Status ${status}`, ...more }] });
}

const notFound = (): ModelResponse => failure(404, "NOT_FOUND");

function badRequest(readings: FleetReadings): ModelResponse {
  const isEmpty = readings["errors.undocumented-bodies"] === "empty";
  return isEmpty ? { status: 400, headers: {}, body: "" } : failure(400, "BAD_REQUEST");
}

function success(
  { readings, operation }: Call,
  data: Json,
  meta: JsonObject = {},
  status = 200,
): ModelResponse {
  const isBare = !operation.isDocumented && readings["fleet.undocumented-responses"] === "anything";
  return jsonResponse(status, isBare ? data : { data, meta: { version: "v1", ...meta } });
}

function presentOf({ state, readings }: Call, collection: Collection): Entity[] {
  const isGone = readings["fleet.deleted-resources"] === "gone";
  return state.entities[collection].filter(({ deleted }) => !(deleted && isGone));
}

function find(call: Call): Entity | undefined {
  return presentOf(call, call.operation.collection).find(({ id }) => id === call.id);
}

// Views

/** An object that may be missing: null, a filler or nothing. */
function missing(name: string, filler: Json, { readings }: Call): JsonObject {
  return { "null-objects": { [name]: null }, present: { [name]: filler }, absent: {} }[
    readings["fleet.absent-properties"]
  ];
}

const views: Partial<Record<Collection, (entity: Entity, call: Call) => JsonObject>> = {
  "inspection-templates": ({ id, properties: { groupIds: _, items = [], ...properties } }, { readings }) => {
    const isObjects = readings["templates.options"] === "objects";
    const option = { id: "choice_1", label: "good", value: "good", status: "OK" };
    const matching = (items as JsonObject[]).map((item) => ({
      ...item,
      options: isObjects ? [option] : ["good"],
    }));
    return { id, ...properties, itemCount: matching.length, inspectionCount: 0, items: matching };
  },
  inspections: ({ id, properties }, call) => {
    const {
      templateId = "",
      vehicleIds = [],
      status = "COMPLETED",
      performedAt = "",
      notes = "",
    } = properties;
    const templates = call.state.entities["inspection-templates"];
    const template = templates.find((one) => one.id === templateId);
    const { title = "", description = "", version = 1 } = template?.properties ?? {};
    const full =
      template !== undefined && call.readings["inspections.template-properties"] === "full"
        ? views["inspection-templates"]?.(template, call)
        : { id: templateId, title, description, version };
    const vehicle = { plateNumber: "WX 1", brand: "MAN", model: "M", vin: "V", type: "TRACTOR_UNIT" };
    return {
      id,
      templateId,
      template: full ?? {},
      status,
      performedAt,
      performedBy: user,
      vehicles: (vehicleIds as string[]).map((vehicleId) => ({ id: vehicleId, ...vehicle })),
      location: { title: "Depot", latitude: 52.2, longitude: 21 },
      notes,
      responses: [],
      damages: [],
    };
  },
  damages: ({ id, properties }, call) => ({
    id,
    vehicleId: "veh_1",
    description: "",
    photoUrl: "",
    status: "TO_REPAIR_WARNING",
    reportedAt: "",
    ...properties,
    reportedBy: user,
    repairedAt: null,
    ...missing("assignedTo", user, call),
    ...missing("vehicle", { id: "veh_1", plateNumber: "", brand: "", model: "", vin: "" }, call),
    ...missing(
      "inspection",
      { id: "i", performedAt: "", status: "", template: { id: "t", title: "" } },
      call,
    ),
  }),
  "vehicle-fields": ({ id, properties: { options, ...properties } }, { readings }) => ({
    id,
    ...properties,
    groups: [],
    options: (options as JsonObject[]).map(({ status = "OK", ...option }) => ({
      ...option,
      ...statusOf(properties["hasStatusRule"] === true, status, readings),
    })),
  }),
};

function viewOf(call: Call, entity: Entity, { collection } = call.operation): JsonObject {
  if (call.isAnonymous && collection === "vehicles") return { ...entity.properties };
  return views[collection]?.(entity, call) ?? { id: entity.id, ...entity.properties };
}

function statusOf(hasRule: boolean, status: Json, readings: FleetReadings): JsonObject {
  if (hasRule) return { status };
  return readings["fields.no-status-rule"] === "ok" ? { status: "OK" } : {};
}

// Lists

/** The page that was asked for. */
function paginate(call: Call, all: readonly JsonObject[], meta: JsonObject = {}): ModelResponse {
  const { readings, query } = call;
  const limit = Number(query.get("limit") ?? 50);
  const totalPages = Math.ceil(all.length / limit);
  let page = Number(query.get("page") ?? 1);
  if (page > Math.max(1, totalPages)) {
    if (readings["fleet.page-past-end"] === "rejected") return badRequest(readings);
    if (readings["fleet.page-past-end"] === "clamped") page = Math.max(1, totalPages);
  }
  const pagination = {
    currentPage: page,
    totalPages,
    totalCount: all.length,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
  return success(call, all.slice((page - 1) * limit, page * limit), { pagination, ...meta });
}

function list(call: Call): ModelResponse {
  const all = presentOf(call, call.operation.collection).map((entity) => viewOf(call, entity));
  return call.readings["lists.undocumented"] === "paged"
    ? paginate(call, all)
    : success(call, all.slice(0, call.cap));
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function listTemplates(call: Call): ModelResponse {
  const { readings, query } = call;
  const group = query.get(readings["templates.group-filter"]);
  const title = query.get(readings["templates.title-filter"])?.toLowerCase() ?? "";
  const active = query.get("isActive") ?? (readings["templates.inactive"] === "active-only" ? "true" : null);
  const found = presentOf(call, "inspection-templates").filter(
    ({ properties }) =>
      (group === null || (properties["groupIds"] as Json[] | undefined)?.includes(group) === true) &&
      textOf(properties["title"]).toLowerCase().includes(title) &&
      (active === null || active === JSON.stringify(properties["isActive"])),
  );
  return paginate(
    call,
    found.map((entity) => viewOf(call, entity)),
  );
}

function filters({ readings, query }: Call, names: readonly string[]): JsonObject {
  const unsent = { "null-value": null, "empty-string": "", absent: undefined }[
    readings["fleet.unsent-filters"]
  ];
  const properties: Record<string, Json> = {};
  for (const name of names) {
    const value = query.get(name) ?? unsent;
    if (value !== undefined) properties[name] = value;
  }
  return { filters: properties };
}

function listFields(call: Call): ModelResponse {
  const all = presentOf(call, "vehicle-fields").map((entity) => viewOf(call, entity));
  return paginate(call, all, filters(call, ["search"]));
}

/** Every third vehicle gave no response. */
function listFieldVehicles(call: Call): ModelResponse {
  const { readings, query, state } = call;
  const field = find(call);
  if (field === undefined) return notFound();
  const { label = "", inputType = "", hasStatusRule } = field.properties;
  const none = readings["fields.no-response"];
  const latest = {
    id: "val_1",
    inspectionId: "00000000-0000-4000-a000-000000000001",
    value: "good",
    fileUrl: null,
    updatedAt: instant(1),
  };
  const status = query.get("status");
  const found = presentOf(call, "vehicles").flatMap(({ id, properties }) => {
    const isSilent = state.seed % 3 === Number(textOf(properties["plateNumber"]).at(-1)) % 3;
    if (isSilent && none === "left-out") return [];
    const { plateNumber = "", brand = "", model = "" } = properties;
    const response = isSilent
      ? none === "null-response"
        ? { latestResponse: null }
        : {}
      : { latestResponse: latest };
    const own = statusOf(hasStatusRule === true, "OK", readings);
    return [{ vehicleId: id, plateNumber, brand, model, ...own, ...response }];
  });
  const matching = found.filter((one) => status === null || ("status" in one && one.status === status));
  const meta = { field: { id: field.id, label, inputType }, ...filters(call, ["search", "status"]) };
  return paginate(call, matching, meta);
}

// Writes

function create(call: Call): ModelResponse {
  const { state, readings, now, body, operation } = call;
  const { collection } = operation;
  const stamps: Partial<Record<Collection, JsonObject>> = {
    "inspection-templates": { version: 1, createdAt: now(), updatedAt: now() },
    inspections: { performedAt: now() },
    damages: { reportedAt: now() },
  };
  const properties = { ...structuredClone(body), ...stamps[collection] };
  const entity = { id: nextId(state, collection), deleted: false, properties };
  state.entities[collection].push(entity);
  const status = readings["fleet.create-status"] === "created" ? 201 : 200;
  return success(call, viewOf(call, entity), {}, status);
}

function change(call: Call, entity: Entity, changes: JsonObject): ModelResponse {
  const { properties } = entity;
  const isChanged = Object.entries(changes).some(
    ([name, value]) => JSON.stringify(properties[name]) !== JSON.stringify(value),
  );
  Object.assign(properties, structuredClone(changes));
  if (call.operation.collection === "inspection-templates") {
    const reading = call.readings["templates.version-after-put"];
    if (reading === "each-put" || (reading === "changes-only" && isChanged))
      properties["version"] = Number(properties["version"]) + 1;
    properties["updatedAt"] = call.now();
  }
  return success(call, viewOf(call, entity));
}

/** Properties that a PUT may omit, with their defaults. */
const defaults: Partial<Record<Collection, JsonObject>> = {
  vehicles: { brand: "", model: "", vin: "", groupIds: [] },
  "inspection-templates": { description: "", items: [], groupIds: [] },
};

function put(call: Call): ModelResponse {
  const entity = find(call);
  if (entity === undefined) return notFound();
  const replaced = call.readings["fleet.put"] === "replace" ? defaults[call.operation.collection] : {};
  return change(call, entity, { ...replaced, ...call.body });
}

/** Under `own-shape` a PATCH takes `{ changes: … }` and nothing else. */
function patch(call: Call): ModelResponse {
  const entity = find(call);
  if (entity === undefined) return notFound();
  const changes = call.readings["fleet.patch"] === "partial" ? call.body : call.body["changes"];
  return typeof changes === "object"
    ? change(call, entity, changes as JsonObject)
    : badRequest(call.readings);
}

function remove(call: Call): ModelResponse {
  const { readings, state, operation } = call;
  const entity = state.entities[operation.collection].find(({ id }) => id === call.id);
  const isRepeatable = readings["fleet.second-delete"] === "repeatable";
  if (entity === undefined || (entity.deleted && !isRepeatable)) return notFound();
  entity.deleted = true;
  if (readings["fleet.delete-response"] === "no-content") return { status: 204, headers: {}, body: "" };
  return success(call, { id: call.id });
}

function get(call: Call): ModelResponse {
  const entity = find(call);
  return entity === undefined ? notFound() : success(call, viewOf(call, entity));
}

function getTemplate(call: Call): ModelResponse {
  const reading = call.readings["templates.get-one"];
  const entity = reading === "absent" ? undefined : find(call);
  if (entity === undefined) return notFound();
  const title = entity.properties["title"] ?? "";
  return success(call, reading === "by-path" ? { id: entity.id, title, sections: [] } : viewOf(call, entity));
}

// Operations

const verbs = { list, get, create, put, patch, delete: remove };
const methods = { list: "GET", get: "GET", create: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" };
type Verb = keyof typeof verbs;

const table: Readonly<Record<Collection, readonly Verb[]>> = {
  vehicles: ["list", "get", "create", "put", "delete"],
  "vehicle-groups": ["list", "get", "create", "put", "delete"],
  "vehicle-fields": ["list"],
  "inspection-templates": ["list", "get", "create", "put", "delete"],
  inspections: ["list", "get", "create", "patch", "delete"],
  damages: ["list", "get", "create", "put", "delete"],
  "driver-assignments": ["list", "get", "create", "patch", "delete"],
};

/** Operations whose responses the contract shows, or that differ from the others. */
const matching: Readonly<Record<string, Operation["run"]>> = {
  "list /inspection-templates": listTemplates,
  "list /vehicle-fields": listFields,
  "get /inspections/{}": get,
  "get /damages/{}": get,
};

const operations: readonly Operation[] = [
  ...(Object.entries(table) as [Collection, readonly Verb[]][]).flatMap(([collection, names]) =>
    names.map((verb): Operation => {
      const path = `/${collection}${verb === "list" || verb === "create" ? "" : "/{}"}`;
      const own = matching[`${verb} ${path}`];
      const isTemplate = verb === "get" && collection === "inspection-templates";
      const run = own ?? (isTemplate ? getTemplate : verbs[verb]);
      return { method: methods[verb], path, collection, isDocumented: own !== undefined, run };
    }),
  ),
  {
    method: "GET",
    path: "/vehicle-fields/{}/vehicles",
    collection: "vehicle-fields",
    isDocumented: true,
    run: listFieldVehicles,
  },
];

/** Later pages have the filters of the last first page of their path, where the reading says so. */
function withRemembered(call: Call): Call {
  const { readings, state, query, path } = call;
  if (readings["lists.filters-across-pages"] === "repeated" || call.operation.method !== "GET") return call;
  const sent = new URLSearchParams([...query].filter(([name]) => name !== "page" && name !== "limit"));
  if (Number(query.get("page") ?? 1) === 1) {
    state.remembered[path] = String(sent);
    return call;
  }
  const kept = new URLSearchParams(sent.size === 0 ? state.remembered[path] : "");
  return { ...call, query: new URLSearchParams([...query, ...kept]) };
}

function isRefused(call: Call, headers: Readonly<Record<string, string>>): boolean {
  const { readings, operation, id } = call;
  const version = headers["x-service-api-version"];
  if (version === undefined && readings["fleet.version-header"] === "required") return true;
  if (version !== undefined && version !== "v1" && readings["fleet.unknown-version"] === "rejected")
    return true;
  if (
    operation.path === "/inspections/{}" &&
    readings["fleet.malformed-ids"] === "invalid" &&
    id === "unknown"
  )
    return true;
  if (operation.method === "GET" || operation.method === "DELETE") return false;
  const isMerge = operation.method === "PATCH" && readings["fleet.patch-content-type"] === "merge-patch";
  const expected = isMerge ? "application/merge-patch+json" : "application/json";
  return headers["content-type"]?.startsWith(expected) !== true;
}

const base = "/api/third-party/v1";

export function createFleetModel(
  given: GivenReadings,
  state: FleetState,
  nowMs: () => number,
  { anonymous: isAnonymous = false, cap: most = Infinity }: Pick<Sizes, "anonymous" | "cap"> = {},
): SimulatedModel<FleetState> & { readonly readings: FleetReadings } {
  const readings = chooseReadings(fleetGaps, given);
  const now = (): string => new Date(nowMs()).toISOString();
  const model = { readings, state, writes: 0, handle };
  return model;

  function handle({
    method,
    target,
    headers,
    body,
    isKnown,
    isTruth,
    mayWrite,
  }: CheckedRequest): ModelResponse {
    state.requests += 1;
    const cap = isTruth === true ? Infinity : most;
    if (!isKnown) return failure(401, "UNAUTHORIZED");
    const { pathname, searchParams: query } = new URL(target, "http://service");
    const path = pathname.slice(base.length);
    for (const operation of operations) {
      const found = operation.method === method ? matchPath(operation.path, path) : undefined;
      if (found === undefined || !pathname.startsWith(`${base}/`)) continue;
      const parsed = body === "" ? {} : (JSON.parse(body) as JsonObject); // the client sends objects
      const id = found[0] ?? "";
      const call = { readings, state, now, isAnonymous, cap, operation, path, id, query, body: parsed };
      if (method !== "GET" && !mayWrite) return forbidden(`${operation.collection}:write`);
      if (isRefused(call, headers)) return badRequest(readings);
      const response = operation.run(withRemembered(call));
      if (method !== "GET" && response.status < 300) model.writes += 1;
      return response;
    }
    return notFound();
  }

  function forbidden(required: string): ModelResponse {
    const isGiven = readings["errors.forbidden-details"] === "always";
    return failure(403, "FORBIDDEN", isGiven ? { required: [required], available: [] } : undefined);
  }
}
