import { fleetContract } from "../../../generated/fleet.contract.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import * as schemas from "../../../generated/fleet.schemas.ts";
import { isObject, objectOf } from "../../wire/json.ts";
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
import { type ErrorParts, type Issue, Refusal, type UncheckedQuery } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { requestSchemas } from "../server/schemas.ts";
import { bearerToken } from "../server/secrets.ts";
import type { FleetResource } from "./data.ts";
import { listVehicleFieldVehicles } from "./fields.ts";
import { environmentOf, KEY_FORM, requirementOf, suffices } from "./keys.ts";
import { isWhole } from "./pages.ts";
import { missingReferences } from "./references.ts";
import { CHANGES, resourceHandlers } from "./handlers.ts";
import { resources } from "./resources.ts";

const handlers = tableOf(namesOf(fleetOperations), (id): Handler<FleetCall> => {
  if (id === "listVehicleFieldVehicles") return listVehicleFieldVehicles;
  const { method, path }: Operation = fleetOperations[id];
  const isList = method === "GET" && !path.endsWith("{id}");
  return resourceHandlers[resourceOf(id)][isList ? "list" : method];
});

/** Returns the resource that the path of an operation names: `vehicleGroups` of `/vehicle-groups/{id}`. */
function resourceOf(operation: string): FleetResource {
  const [, segment = ""] = fleetOperations[operation as FleetOperationId].path.split("/"); // of this API
  return segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as FleetResource; // each is one
}

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
function queryOf(call: Call): UncheckedQuery {
  const { page: _page, limit: _limit, ...others } = call.sentQuery;
  return isWhole(call) ? others : call.sentQuery;
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
    ...missingReferences(call.fleet, objectOf(call.body)),
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

function unknownProperties({ operation, request, body, is }: Call): Issue[] {
  const names = resources[resourceOf(operation)].properties ?? [];
  const isOwn = request.method === "PATCH" && is("fleet.patch", "own-shape");
  const value = isOwn && isObject(body) ? body[CHANGES] : body; // undefined if the operation has no body
  const message = `is not a property of this object. Expected one of ${names.join(", ")}`;
  return Object.keys(objectOf(value))
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: name, message, code: "unrecognized_keys" }));
}

/** The codes of errors. The contract shows those of 401, 403 and 404; the others are invented. */
const CODES: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
};

const MESSAGES: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "The API key is missing or invalid",
  403: "The API key lacks a required scope",
  404: "Resource not found",
  429: "Too many requests",
};

/** Returns the body of an error. gaps errors.undocumented-bodies, errors.forbidden-details */
function errorBody(status: number, parts: ErrorParts, is: Is): unknown {
  const { message, issues = [], details } = parts;
  const isOwn = message !== undefined && status !== 400; // such as a failure of a test's function
  const isUndocumented = status === 400 || CODES[status] === undefined;
  if (isUndocumented && !isOwn && is("errors.undocumented-bodies", "empty")) return undefined;
  const code = CODES[status] ?? "INTERNAL_ERROR";
  if (status === 400 && issues.length > 0)
    return {
      errors: issues.map(({ path, message: text }) => {
        return { code, message: `${path || "the body"} ${text}`, details: { path } };
      }),
    };
  const hasDetails = details !== undefined && is("errors.forbidden-details", "always");
  const text = message ?? MESSAGES[status] ?? "The request failed";
  return { errors: [{ code, message: text, ...(hasDetails && { details }) }] };
}
