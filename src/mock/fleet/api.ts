import { fleetContract } from "../../../generated/fleet.contract.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import * as schemas from "../../../generated/fleet.schemas.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import type { OperationContract } from "../../wire/operation.ts";
import {
  type Api,
  type Call,
  contentTypeIssue,
  type FoundIssues,
  isJsonType,
  unknownParameters,
} from "../server/call.ts";
import { environmentOf, KEY_FORM, requireCredential } from "../server/credentials.ts";
import { type ErrorParts, type Issue, Refusal, type UncheckedQuery } from "../server/exchange.ts";
import { Routes } from "../server/operations.ts";
import type { Is } from "../server/options.ts";
import { nameValue } from "../server/quotes.ts";
import { requestSchemas } from "../server/schemas.ts";
import { bodyIssues } from "./bodies.ts";
import { handlerOf } from "./handlers.ts";
import { isWhole } from "./pages.ts";

export const fleetApi: Api = {
  handlers: tableOf(namesOf(fleetOperations), handlerOf),
  schemas: tableOf(namesOf(fleetOperations), (id) => requestSchemas(id, schemas)),
  routes: new Routes(fleetOperations),
  limitGap: "limits.fleet-rate",
  authorize,
  queryOf,
  findIssues,
  errorBody,
  forcedDetails,
};

function authorize(call: Call): void {
  const { server, request, operation, is } = call;
  const environment = request.base === "sandbox" ? "sandbox" : "production";
  const key = requireCredential(call, "key", server.credentials.keyring, (secret) => {
    const form = environmentOf(secret);
    if (form === undefined) return `expected ${KEY_FORM}`;
    return form === environment
      ? undefined
      : `it is a ${form} key, and this is the ${environment} environment`;
  });
  const { rule, scopes } = requirementOf(operation as FleetOperationId, is); // of this API
  if (suffices({ rule, scopes }, key.scopes, is)) return;
  const message = `the key needs ${scopes.join(rule === "any" ? " or " : " and ")}`;
  const details = { required: scopes, available: key.scopes };
  throw new Refusal(403, { details, issues: [{ path: "authorization", message }] });
}

/** Returns the details of a forced 403: those of a key without scopes. */
function forcedDetails(status: number, { operation, is }: Call): object | undefined {
  if (status !== 403) return undefined;
  return { required: requirementOf(operation as FleetOperationId, is).scopes, available: [] }; // of this API
}

/** The scopes that an operation requires: all of them, or one of them. */
interface Requirement {
  readonly rule: "all" | "any";
  readonly scopes: readonly Scope[];
}

/** gaps scopes.get-damage, scopes.list-templates */
function requirementOf(operation: FleetOperationId, is: Is): Requirement {
  const { scopes } = fleetOperations[operation];
  const { rule, table, prose } = scopes;
  const everything = [...table, ...prose];
  if (rule !== "disputed") return { rule, scopes: everything };
  if (is(scopes.gap, "table")) return { rule: "all", scopes: table };
  if (is(scopes.gap, "prose")) return { rule: "all", scopes: prose };
  return { rule: is(scopes.gap, "either") ? "any" : "all", scopes: everything };
}

/** Whether the scopes of a key satisfy a requirement. gap scopes.implications */
function suffices({ rule, scopes }: Requirement, granted: readonly Scope[], is: Is): boolean {
  const implied = is("scopes.implications", "write-implies-read");
  const holds = (scope: Scope): boolean =>
    granted.includes(scope) || (implied && granted.some((own) => own === scope.replace(/:read$/, ":write")));
  return rule === "any" ? scopes.some(holds) : scopes.every(holds);
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
  if ((method === "POST" || method === "PUT") && !isJsonType(contentType))
    rejected.push(contentTypeIssue(contentType));
  if (apiVersion === undefined && call.is("fleet.version-header", "required"))
    rejected.push({ path: "x-service-api-version", message: "is required" });
  return {
    rejected,
    tolerated: [
      ...unknownParameters(call, parametersOf(call)),
      ...versionIssues(apiVersion),
      ...bodyIssues(call),
    ],
  };
}

/** gap fleet.unknown-version */
function versionIssues(version = "v1"): Issue[] {
  if (version === "v1") return [];
  return [{ path: "x-service-api-version", message: `must be v1, not ${nameValue(version)}` }];
}

/** Returns the names of the query parameters of an operation under the readings of the server. */
function parametersOf({ operation, server }: Call): string[] {
  const { query = {} }: OperationContract<unknown> = fleetContract[operation as FleetOperationId]; // of this API
  const readings: Readonly<Record<string, string>> = server.readings;
  return Object.entries(query).map(([name, { nameGap = "" }]) => readings[nameGap] ?? name);
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
