import { fleetContract } from "../../../generated/fleet.contract.ts";
import { type FleetOperationId, fleetOperations, fleetVersion } from "../../../generated/fleet.operations.ts";
import * as schemas from "../../../generated/fleet.schemas.ts";
import { bearerToken } from "../server/secret-headers.ts";
import { isObject } from "../../wire/json.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import type { Operation, OperationContract, QueryRule } from "../../wire/operation.ts";
import { unknownParameter } from "../server/unknown-parameter.ts";
import { isUuid } from "../../wire/uuid.ts";
import type { Api, Call, FleetCall, FoundIssues, Handler } from "../server/call.ts";
import { statusOf } from "../server/credentials.ts";
import { type Issue, Refusal, type Reply, type UncheckedQuery } from "../server/exchange.ts";
import { requestSchemas } from "../server/schemas.ts";
import { documentedBody, errorReply, failure, forbidden, invalid } from "./errors.ts";
import { listVehicleFields, listVehicleFieldVehicles } from "./fields.ts";
import { damages, inspections } from "./inspections.ts";
import { describeKeyForm, environmentOf, requirementOf, suffices } from "./keys.ts";
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

const schemaTable = tableOf(namesOf(fleetOperations), (id) => requestSchemas(id, schemas));

export const fleetApi: Api = {
  handlers: tableOf(namesOf(handlers), (id) => withIdFormat(id, handlers[id])),
  schemas: (operation) => schemaTable[operation as FleetOperationId], // the routes of this API have no other
  authorize,
  isRateLimited: (is) => is("limits.fleet-rate", "too-many-requests"),
  findHeaderIssues,
  normalizeQuery,
  findUnknownInput,
  findMissingReferences: ({ fleet, body }) => missingReferences(fleet, body),
  isNotFoundFirst: () => true,
  invalid,
  failure,
  documentedBody: (status, call) => (status === 403 ? forbiddenBody(call) : documentedBody(status, call.is)),
};

/** Checks an ID whose format the contract documents, and changes the URLs of files. gap fleet.malformed-ids */
function withIdFormat(id: FleetOperationId, handler: Handler<FleetCall>): Handler<FleetCall> {
  const { formats }: Operation = fleetOperations[id];
  const isMalformed = ({ params, is }: FleetCall) =>
    formats?.id !== undefined && is("fleet.malformed-ids", "invalid") && !isUuid(params.id);
  const issue: Issue = { path: "id", message: "must be a UUID", code: "invalid_format" };
  return {
    find: (call) => {
      if (!isMalformed(call)) handler.find?.(call);
    },
    check: (call) => [...(isMalformed(call) ? [issue] : []), ...(handler.check?.(call) ?? [])],
    run: (call) => withFileUrls(handler.run(call), call),
  };
}

function authorize({ server, request, operation, is }: Call): void {
  const secret = bearerToken(request.authorization);
  const key = secret === undefined ? undefined : server.keys.get(secret);
  const environment = request.base === "sandbox" ? "sandbox" : "production";
  const form = secret === undefined ? undefined : environmentOf(secret, is);
  const status = key && statusOf(key, server.clock);
  const faults = { revoked: "it was revoked", expired: "it has expired", active: "" };
  const fault =
    form === undefined
      ? `expected ${describeKeyForm(is)}`
      : form !== environment
        ? `it is a ${form} key, and this is the ${environment} environment`
        : status === undefined
          ? "this server has no such key"
          : faults[status];
  if (fault !== "" || key === undefined) {
    const missing = "The API key is missing: expected the header Authorization: Bearer <key>";
    const message = secret === undefined ? missing : `The API key is invalid: ${fault}`;
    const reply = { ...errorReply(401, "UNAUTHORIZED", message), headers: { "www-authenticate": "Bearer" } };
    throw new Refusal(reply, [{ path: "authorization", message }]);
  }
  const requirement = requirementOf(operation as FleetOperationId, is); // of this API
  if (suffices(requirement, key.scopes, is)) return;
  const message = `the key needs ${requirement.scopes.join(requirement.rule === "any" ? " or " : " and ")}`;
  throw new Refusal(forbidden(requirement.scopes, key.scopes, is), [{ path: "authorization", message }]);
}

/** Returns the body of a forced 403: the required scopes, and those of the key that would not be enough. */
function forbiddenBody({ server, request, operation, is }: Call): unknown {
  const granted = server.keys.get(bearerToken(request.authorization) ?? "")?.scopes ?? [];
  const { scopes } = requirementOf(operation as FleetOperationId, is); // of this API
  const available = granted.filter((scope) => !suffices({ rule: "any", scopes }, [scope], is));
  return forbidden(scopes, available, is).body;
}

/**
 * Content-Type is required for POST and PUT; the contract does not mention PATCH. gaps fleet.version-header,
 * fleet.unknown-version
 */
function findHeaderIssues({ request: { method, contentType, apiVersion }, is }: Call): FoundIssues {
  const issues: Issue[] = [];
  if ((method === "POST" || method === "PUT") && !/^application\/json\b/i.test(contentType ?? ""))
    issues.push({ path: "content-type", message: "must be application/json" });
  const path = "x-service-api-version";
  if (apiVersion === undefined && is("fleet.version-header", "required"))
    issues.push({ path, message: "is required" });
  const isOther = apiVersion !== undefined && apiVersion !== fleetVersion;
  if (isOther && is("fleet.unknown-version", "rejected"))
    issues.push({ path, message: `must be ${fleetVersion}` });
  return { rejected: issues, tolerated: [] };
}

function queryRulesOf(operation: string): Readonly<Record<string, QueryRule>> {
  const { query = {} }: OperationContract<unknown> = fleetContract[operation as FleetOperationId]; // of this API
  return query;
}

/** gaps lists.undocumented, fleet.limit-out-of-range */
function normalizeQuery({ operation, sentQuery: query, is }: Call): UncheckedQuery {
  if (is("lists.undocumented", "whole") && isUndocumentedList(operation)) {
    const { page: _page, limit: _limit, ...others } = query;
    return others;
  }
  if (is("fleet.limit-out-of-range", "rejected")) return query;
  const clamped = { ...query };
  const rules = queryRulesOf(operation);
  for (const [name, { minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER }] of Object.entries(rules)) {
    const value = clamped[name];
    if (typeof value === "string" && /^-?\d+$/.test(value))
      clamped[name] = String(Math.min(Math.max(Number(value), minimum), maximum));
  }
  return clamped;
}

/** gaps fleet.unknown-properties, lists.unknown-filters */
function findUnknownInput({ operation, sentQuery, body, is, server }: Call): FoundIssues {
  const { method, path }: Operation = fleetOperations[operation as FleetOperationId]; // of this API
  const readings: Readonly<Record<string, string>> = server.readings;
  const known = Object.entries(queryRulesOf(operation)).map(
    ([name, { nameGap = "" }]) => readings[nameGap] ?? name,
  );
  const parameters = Object.keys(sentQuery)
    .filter((name) => !known.includes(name))
    .map((name): Issue => ({ path: name, message: unknownParameter(known), code: "unrecognized_keys" }));
  const [, segment = ""] = path.split("/");
  const resource = segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const properties: Readonly<Record<string, readonly string[]>> = bodyProperties;
  // the names are invented, so a service with other names has unknown ones
  const isOpen = method === "GET" || method === "DELETE" || is("fleet.input-shapes", "opaque");
  const names = isOpen ? undefined : properties[resource];
  const value = method === "PATCH" && is("fleet.patch", "own-shape") && isObject(body) ? body[CHANGES] : body;
  const unknown =
    names === undefined || !isObject(value) ? [] : Object.keys(value).filter((name) => !names.includes(name));
  const message = `is not a property of this object. Expected one of ${names?.join(", ")}`;
  const ofBody = unknown.map((name): Issue => ({ path: name, message, code: "unrecognized_keys" }));
  const isRejected = is("fleet.unknown-properties", "rejected");
  const isFilterRejected = isUndocumentedList(operation)
    ? is("lists.unknown-filters", "rejected")
    : isRejected;
  return {
    rejected: [...(isFilterRejected ? parameters : []), ...(isRejected ? ofBody : [])],
    tolerated: [...(isFilterRejected ? [] : parameters), ...(isRejected ? [] : ofBody)],
  };
}

const FILE_URLS: ReadonlySet<string> = new Set(["photoUrl", "fileUrl", "instructionImageUrl"]);

/** Returns a response whose URLs of files have the form of a reading. gap fleet.file-urls */
function withFileUrls(reply: Reply, { is, server }: FleetCall): Reply {
  if (is("fleet.file-urls", "lasting") || !isObject(reply.body)) return reply;
  const signature = is("fleet.file-urls", "signed") ? server.ids.uuid() : undefined;
  const { data, ...rest } = reply.body;
  return { ...reply, body: { data: changeUrls(data, signature), ...rest } };
}

function changeUrls(value: unknown, signature: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => changeUrls(element, signature));
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([name, property]): [string, unknown] => {
    if (!FILE_URLS.has(name) || typeof property !== "string" || !URL.canParse(property))
      return [name, changeUrls(property, signature)];
    const url = new URL(property);
    if (signature === undefined) return [name, `/files${url.pathname}`];
    url.searchParams.set("signature", signature);
    return [name, url.href];
  });
  return Object.fromEntries(changed);
}
