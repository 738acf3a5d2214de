import { fleetContract } from "../../../generated/fleet.contract.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import * as schemas from "../../../generated/fleet.schemas.ts";
import { isObject } from "../../wire/json.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import type { Operation, OperationContract } from "../../wire/operation.ts";
import {
  type Api,
  type Call,
  type FleetCall,
  type FoundIssues,
  type Handler,
  unknownParameter,
} from "../server/call.ts";
import { statusOf } from "../server/credentials.ts";
import { type Issue, Refusal, type UncheckedQuery } from "../server/exchange.ts";
import { requestSchemas } from "../server/schemas.ts";
import { bearerToken } from "../server/secrets.ts";
import { errorBody } from "./errors.ts";
import { listVehicleFields, listVehicleFieldVehicles } from "./fields.ts";
import { damages, inspections } from "./inspections.ts";
import { environmentOf, KEY_FORM, requirementOf, suffices } from "./keys.ts";
import { isUndocumentedList } from "./pages.ts";
import { bodyProperties, CHANGES, handlersOf } from "./resources.ts";
import { missingReferences } from "./rows.ts";
import { inspectionTemplates } from "./templates.ts";

const vehicles = handlersOf("vehicles");
const vehicleGroups = handlersOf("vehicleGroups");
const driverAssignments = handlersOf("driverAssignments");

const handlers: Readonly<Record<FleetOperationId, Handler<FleetCall>>> = {
  listVehicles: vehicles.list,
  getVehicle: vehicles.get,
  createVehicle: vehicles.create,
  updateVehicle: vehicles.replace,
  deleteVehicle: vehicles.delete,
  listVehicleGroups: vehicleGroups.list,
  getVehicleGroup: vehicleGroups.get,
  createVehicleGroup: vehicleGroups.create,
  updateVehicleGroup: vehicleGroups.replace,
  deleteVehicleGroup: vehicleGroups.delete,
  listVehicleFields,
  listVehicleFieldVehicles,
  listInspections: inspections.list,
  getInspection: inspections.get,
  submitInspection: inspections.create,
  updateInspection: inspections.patch,
  deleteInspection: inspections.delete,
  listInspectionTemplates: inspectionTemplates.list,
  getInspectionTemplate: inspectionTemplates.get,
  createInspectionTemplate: inspectionTemplates.create,
  updateInspectionTemplate: inspectionTemplates.replace,
  deleteInspectionTemplate: inspectionTemplates.delete,
  listDamages: damages.list,
  getDamage: damages.get,
  createDamage: damages.create,
  updateDamage: damages.replace,
  deleteDamage: damages.delete,
  listDriverAssignments: driverAssignments.list,
  getDriverAssignment: driverAssignments.get,
  createDriverAssignment: driverAssignments.create,
  updateDriverAssignment: driverAssignments.patch,
  releaseDriverAssignment: driverAssignments.delete,
};

export const fleetApi: Api = {
  handlers,
  schemas: tableOf(namesOf(fleetOperations), (id) => requestSchemas(id, schemas)),
  limitGap: "limits.fleet-rate",
  authorize,
  queryOf,
  findIssues,
  errorBody,
  forcedDetails,
};

function authorize({ server, request, operation, is }: Call): void {
  const secret = bearerToken(request.headers?.authorization);
  const key = secret === undefined ? undefined : server.keyring.get(secret);
  const environment = request.base === "sandbox" ? "sandbox" : "production";
  const form = secret === undefined ? undefined : environmentOf(secret);
  const status = key && statusOf(key, server.clock);
  const faults = { revoked: "it was revoked", expired: "it has expired", active: "" };
  const fault =
    form === undefined
      ? `expected ${KEY_FORM}`
      : form !== environment
        ? `it is a ${form} key, and this is the ${environment} environment`
        : status === undefined
          ? "this server has no such key"
          : faults[status];
  if (fault !== "" || key === undefined) {
    const missing = "The API key is missing: expected the header Authorization: Bearer <key>";
    const message = secret === undefined ? missing : `The API key is invalid: ${fault}`;
    throw new Refusal(401, { message, issues: [{ path: "authorization", message }] });
  }
  const { rule, scopes } = requirementOf(operation as FleetOperationId, is); // of this API
  if (suffices({ rule, scopes }, key.scopes, is)) return;
  const message = `the key needs ${scopes.join(rule === "any" ? " or " : " and ")}`;
  const details = { required: scopes, available: key.scopes };
  throw new Refusal(403, { details, issues: [{ path: "authorization", message }] });
}

/** Returns the required scopes, and those of the key that would not be enough. */
function forcedDetails(status: number, { server, request, operation, is }: Call): object | undefined {
  if (status !== 403) return undefined;
  const granted: readonly Scope[] =
    server.keyring.get(bearerToken(request.headers?.authorization) ?? "")?.scopes ?? [];
  const { scopes: required } = requirementOf(operation as FleetOperationId, is); // of this API
  const available = granted.filter((scope) => !suffices({ rule: "any", scopes: required }, [scope], is));
  return { required, available };
}

/** Leaves out the page of a list without pages. gap lists.undocumented */
function queryOf({ operation, sentQuery, is }: Call): UncheckedQuery {
  if (is("lists.undocumented", "paged") || !isUndocumentedList(operation)) return sentQuery;
  const { page: _page, limit: _limit, ...others } = sentQuery;
  return others;
}

/** Content-Type is required for POST and PUT; the contract does not mention PATCH. gap fleet.version-header */
function findIssues(call: Call): FoundIssues {
  const { method, headers = {} } = call.request;
  const { "content-type": contentType, "x-service-api-version": apiVersion } = headers;
  const rejected: Issue[] = [];
  if ((method === "POST" || method === "PUT") && !/^application\/json\b/i.test(contentType ?? ""))
    rejected.push({ path: "content-type", message: "must be application/json" });
  if (apiVersion === undefined && call.is("fleet.version-header", "required"))
    rejected.push({ path: "x-service-api-version", message: "is required" });
  const tolerated = [
    ...unknownParameters(call),
    ...unknownProperties(call),
    ...missingReferences(call.fleet, call.body),
  ];
  return { rejected, tolerated };
}

function unknownParameters({ operation, sentQuery, server }: Call): Issue[] {
  const { query = {} }: OperationContract<unknown> = fleetContract[operation as FleetOperationId]; // of this API
  const readings: Readonly<Record<string, string>> = server.readings;
  const known = Object.entries(query).map(([name, { nameGap = "" }]) => readings[nameGap] ?? name);
  return Object.keys(sentQuery)
    .filter((name) => !known.includes(name))
    .map((path) => ({ path, message: unknownParameter(known), code: "unrecognized_keys" }));
}

function unknownProperties({ operation, body, is }: Call): Issue[] {
  const { method, path }: Operation = fleetOperations[operation as FleetOperationId]; // of this API
  const [, segment = ""] = path.split("/");
  const resource = segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const properties: Readonly<Record<string, readonly string[]>> = bodyProperties;
  // the names are invented, so a service with other names has unknown ones
  const isOpen = method === "GET" || method === "DELETE" || is("fleet.input-shapes", "opaque");
  const names = isOpen ? undefined : properties[resource];
  const value = method === "PATCH" && is("fleet.patch", "own-shape") && isObject(body) ? body[CHANGES] : body;
  if (names === undefined || !isObject(value)) return [];
  const message = `is not a property of this object. Expected one of ${names.join(", ")}`;
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: name, message, code: "unrecognized_keys" }));
}
