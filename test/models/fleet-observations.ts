/** For each gap of the fleet API, requests whose responses tell its readings apart. */
import type { Json, JsonObject } from "./exchange.ts";
import { tableScopes } from "./fleet-access.ts";
import type { FleetModel } from "./fleet-model.ts";
import type { Collection } from "./fleet-state.ts";
import type { fleetGaps, GivenReadings } from "./readings.ts";
import { propertyOf, observed, type Observed, observeRate } from "./store-observations.ts";

export interface FleetRequest {
  readonly body?: JsonObject;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export type FleetSend = (method: string, path: string, request?: FleetRequest) => Observed;

export interface FleetObservation {
  readonly given?: GivenReadings;
  readonly observe: (send: FleetSend, model: FleetModel) => Json;
}

export function fleetSender(model: FleetModel): FleetSend {
  return (method, path, { body, text = body && JSON.stringify(body), key = model.key, headers } = {}) =>
    observed(
      model.handle({
        method,
        target: model.basePath + path,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        ...(text !== undefined && { body: text }),
      }),
    );
}

export function idOf(model: FleetModel, collection: Collection, at = 0): string {
  return model.state.entities[collection][at]?.id ?? "";
}

const get = (path: string): FleetObservation["observe"] => {
  return (send) => ({ ...send("GET", path) });
};

const one = (collection: Collection, at = 0): FleetObservation["observe"] => {
  return (send, model) => ({ ...send("GET", `/${collection}/${idOf(model, collection, at)}`) });
};

const post = (path: string, body: JsonObject): FleetObservation["observe"] => {
  return (send) => ({ ...send("POST", path, { body }) });
};

/** The status of a request with a key for each of the sets of scopes. */
const withScopes = (
  path: (model: FleetModel) => string,
  ...sets: string[][]
): FleetObservation["observe"] => {
  return (send, model) =>
    sets.map((scopes) => send("GET", path(model), { key: model.makeKey(scopes) ?? "none" }).status);
};

const damagePath = (model: FleetModel): string => `/damages/${idOf(model, "damages")}`;
const fieldVehiclesPath = (model: FleetModel, at = 0): string =>
  `/vehicle-fields/${idOf(model, "vehicle-fields", at)}/vehicles`;

/** A key with all scopes and one more: the status and, where it is refused, what the key has. */
const withScope = (scope: string): FleetObservation["observe"] => {
  return (_, model) => model.makeKey([...tableScopes, scope]) ?? null;
};

function observeTwoDeletes(send: FleetSend, model: FleetModel): Json {
  const path = `/vehicles/${idOf(model, "vehicles")}`;
  return [send("DELETE", path), send("GET", path), send("DELETE", path)].map(({ status }) => status);
}

function observeFilters(name: string, value: (model: FleetModel) => string): FleetObservation["observe"] {
  return (send, model) =>
    propertyOf(send("GET", `/inspection-templates?${name}=${encodeURIComponent(value(model))}`), "data");
}

function observeVersions(send: FleetSend, model: FleetModel): Json {
  const path = `/inspection-templates/${idOf(model, "inspection-templates")}`;
  const body = { title: "Changed", items: [] };
  return [1, 2].map(() => propertyOf(send("PUT", path, { body }), "data.version"));
}

function observePut(send: FleetSend, model: FleetModel): Json {
  const vehicle = send("PUT", `/vehicles/${idOf(model, "vehicles")}`, { body: { brand: "DAF" } });
  send("PUT", `/inspection-templates/${idOf(model, "inspection-templates")}`, { body: { title: "Changed" } });
  return [{ ...vehicle }, { ...send("GET", "/inspection-templates") }];
}

/** A part of the POST body, and another shape. */
function observePatch(type: string): FleetObservation["observe"] {
  return (send, model) => {
    const path = `/inspections/${idOf(model, "inspections")}`;
    const headers = { "content-type": type };
    return [{ notes: "Changed" }, { changes: { notes: "Changed" } }].map((body) => ({
      ...send("PATCH", path, { body, headers }),
    }));
  };
}

function observeMalformedIds(send: FleetSend): Json {
  const methods = ["GET", "PATCH", "DELETE"];
  const inspections = methods.map((method) => ({
    ...send(method, "/inspections/no-uuid", method === "PATCH" ? { body: {} } : {}),
  }));
  return [...inspections, { ...send("GET", "/vehicles/no-uuid") }];
}

function observeUnknownProperties(send: FleetSend, model: FleetModel): Json {
  return [
    { ...send("POST", "/vehicles", { body: { wings: 2 } }) },
    { ...send("GET", `/vehicles/${idOf(model, "vehicles")}?wings=2`) },
    { ...send("GET", "/vehicle-fields?wings=2") },
  ];
}

function upperCaseKey(model: FleetModel): string {
  const at = model.key.lastIndexOf("_") + 1;
  return model.key.slice(0, at) + model.key.slice(at).toUpperCase();
}

function observeRemembered(send: FleetSend): Json {
  send("GET", "/vehicle-fields?search=Group%201&limit=1");
  send("GET", "/vehicle-fields?search=Field%201&limit=1");
  return { ...send("GET", "/vehicle-fields?limit=1&page=2") };
}

export const fleetObservations: Readonly<Record<keyof typeof fleetGaps, FleetObservation>> = {
  "inspections.status-values": { observe: get("/inspections") },
  "damages.status-values": { observe: post("/damages", { status: "REPAIRED" }) },
  "vehicles.type-values": { observe: get("/vehicles") },
  "templates.group-filter": {
    observe: (send, model) =>
      ["vehicleGroupId", "groupId", "vehicleGroup"].map((name) =>
        observeFilters(name, () => idOf(model, "vehicle-groups"))(send, model),
      ),
  },
  "templates.title-filter": { observe: observeFilters("search", () => "return") },
  "fleet.input-shapes": { observe: post("/damages", { shade: "dark" }) },
  "fleet.undocumented-responses": { observe: one("vehicles") },
  "lists.undocumented": { observe: get("/vehicles") },
  "scopes.list-templates": {
    observe: withScopes(
      () => "/inspection-templates",
      ["inspection-templates:read"],
      ["inspections:read"],
      ["inspection-templates:read", "inspections:read"],
    ),
  },
  "scopes.get-damage": {
    observe: withScopes(damagePath, ["damages:read"], ["vehicles:read"], ["damages:read", "vehicles:read"]),
  },
  "scopes.implications": { observe: withScopes(() => "/vehicles", ["vehicles:write"]) },
  "errors.undocumented-bodies": { observe: get("/vehicle-fields?limit=none") },
  "limits.fleet-rate": {
    observe: (send) => observeRate((method, path) => send(method, path), "/vehicle-groups"),
  },
  "templates.get-one": { observe: one("inspection-templates") },
  "fleet.create-status": { observe: post("/vehicles", { plateNumber: "WX 1" }) },
  "fleet.delete-response": {
    observe: (send, model) => ({ ...send("DELETE", `/vehicles/${idOf(model, "vehicles")}`) }),
  },
  "fleet.deleted-resources": { observe: observeTwoDeletes },
  "fleet.second-delete": { observe: observeTwoDeletes },
  "fleet.patch-content-type": { observe: observePatch("application/merge-patch+json") },
  "fleet.version-header": { observe: get("/vehicles") },
  "inspections.template-properties": { observe: one("inspections") },
  "scopes.field-vehicles": { observe: withScopes(fieldVehiclesPath, ["vehicles:read"]) },
  "keys.review-scopes": { observe: withScope("users:read") },
  "fleet.absent-properties": { observe: one("damages") },
  "templates.options": { observe: get("/inspection-templates") },
  "fields.no-response": { observe: (send, model) => ({ ...send("GET", fieldVehiclesPath(model)) }) },
  "fields.no-status-rule": { observe: (send, model) => ({ ...send("GET", fieldVehiclesPath(model, 2)) }) },
  "fleet.limit-out-of-range": { observe: get("/vehicle-fields?limit=101") },
  "fleet.page-past-end": { observe: get("/vehicle-fields?page=9") },
  "templates.inactive": { observe: get("/inspection-templates") },
  "fleet.unsent-filters": { observe: get("/vehicle-fields") },
  "lists.filters-across-pages": { observe: observeRemembered },
  "fleet.malformed-ids": { observe: observeMalformedIds },
  "keys.hex-case": {
    // the key in another case is another key
    observe: (send, model) => {
      const keys = [model.makeKey(tableScopes, true) ?? upperCaseKey(model), upperCaseKey(model)];
      return keys.map((key) => send("GET", "/vehicles", { key }).status);
    },
  },
  "fleet.unknown-version": {
    observe: (send) => send("GET", "/vehicles", { headers: { "x-service-api-version": "v7" } }).status,
  },
  "fleet.put": { observe: observePut },
  "errors.forbidden-details": {
    observe: (send, model) => ({ ...send("GET", "/vehicles", { key: model.makeKey(["damages:read"]) }) }),
  },
  "keys.unknown-scopes": { observe: withScope("boats:read") },
  "fleet.unknown-properties": { observe: observeUnknownProperties },
  "lists.unknown-filters": { observe: get("/vehicles?wings=2") },
  "templates.version-after-put": { observe: observeVersions },
  "fleet.patch": { observe: observePatch("application/json") },
};
