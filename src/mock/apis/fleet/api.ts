import * as schemas from "../../../../generated/fleet.schemas.ts";
import {
  type FleetOperationId,
  fleetOperations,
  fleetVersion,
} from "../../../../generated/fleet.operations.ts";
import type { ApiDefinition, HeaderCheck } from "../../server/api.ts";
import { type RequestSchemas, requestSchemas } from "../../server/schemas.ts";
import { namesOf } from "../../../wire/names.ts";
import type { Operation, QueryRule } from "../../../wire/operation.ts";
import type { ApiResponse, Issue } from "../../http/api-response.ts";
import type { UncheckedQuery } from "../../http/query.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { CoreRequest } from "../../http/request.ts";
import { Routes } from "../../../wire/routes.ts";
import { bearerToken } from "../../../wire/credentials.ts";
import type { Server } from "../../server/server.ts";
import type { FleetContext } from "./context.ts";
import { fleetErrors, forbidden, unauthorized } from "./errors.ts";
import { fleetHandlers } from "./handlers.ts";
import type { FleetData } from "./data.ts";
import { type FleetKey, keyFault, requirementOf, suffices } from "./keys.ts";
import { isUnpaged } from "./page.ts";
import { missingReferenceIssues } from "./rows.ts";
import { findUnknownInput } from "./unknown-input.ts";

/** The schemas of the query and the body of each operation. */
const fleetSchemas: Readonly<Record<FleetOperationId, RequestSchemas>> = requestSchemas(
  namesOf(fleetOperations),
  schemas,
);

/** The part of a server's state that belongs to the fleet API. */
export interface FleetApiState {
  /** The keys by their secret. */
  readonly keys: Map<string, FleetKey>;
  readonly fleet: FleetData;
  readonly sandbox: FleetData;
}

export const fleetApi: ApiDefinition<FleetApiState, FleetContext, FleetOperationId> = {
  routes: new Routes(fleetOperations),
  schemas: (operation) => fleetSchemas[operation],
  handlers: fleetHandlers,
  errors: fleetErrors,
  authorize,
  forcedBody,
  isRateLimited: (readings) => readings["limits.fleet-rate"] === "too-many-requests",
  checkHeaders,
  normalizeQuery,
  findUnknownInput,
  findMissingReferences: ({ data, body }) => missingReferenceIssues(data, body),
  notFoundFirst: () => true,
  dataOf: ({ sandbox, fleet }, { base }) => (base === "sandbox" ? sandbox : fleet),
};

function authorize(
  server: Server<FleetApiState>,
  request: CoreRequest,
  operation: FleetOperationId,
): ApiResponse | undefined {
  const secret = bearerToken(request.authorization);
  const key = secret === undefined ? undefined : server.state.keys.get(secret);
  const environment = request.base === "sandbox" ? "sandbox" : "production";
  const fault = keyFault(secret, key, environment, server);
  if (fault !== undefined || key === undefined) return withViolation(unauthorized(fault ?? ""), fault ?? "");
  const requirement = requirementOf(operation, server.readings);
  if (suffices(requirement, key.scopes, server.readings)) return undefined;
  const needs = `the key needs ${requirement.scopes.join(requirement.rule === "any" ? " or " : " and ")}`;
  return withViolation(forbidden(requirement.scopes, key.scopes, server.readings), needs);
}

/**
 * Returns the body of a forced 403: the scopes that the operation requires, and those of the key that would not be
 * enough.
 */
function forcedBody(
  { state, readings }: Server<FleetApiState>,
  { authorization }: CoreRequest,
  operation: FleetOperationId,
  status: number,
): unknown {
  if (status !== 403) return undefined;
  const secret = bearerToken(authorization);
  const granted = (secret === undefined ? undefined : state.keys.get(secret))?.scopes ?? [];
  const { scopes } = requirementOf(operation, readings);
  const available = granted.filter((scope) => !suffices({ rule: "any", scopes }, [scope], readings));
  return forbidden(scopes, available, readings).body;
}

function withViolation(response: ApiResponse, message: string): ApiResponse {
  return { ...response, violations: [{ path: "authorization", message }] };
}

/**
 * Content-Type is required for POST and PUT; the contract does not mention PATCH. gaps fleet.version-header,
 * fleet.unknown-version
 */
function checkHeaders({ method, contentType, apiVersion }: CoreRequest, readings: MockReadings): HeaderCheck {
  const issues: Issue[] = [];
  if ((method === "POST" || method === "PUT") && !/^application\/json\b/i.test(contentType ?? "")) {
    issues.push({ path: "content-type", message: "must be application/json" });
  }
  if (apiVersion === undefined && readings["fleet.version-header"] === "required") {
    issues.push({ path: "x-service-api-version", message: "is required" });
  }
  if (
    apiVersion !== undefined &&
    apiVersion !== fleetVersion &&
    readings["fleet.unknown-version"] === "rejected"
  ) {
    issues.push({ path: "x-service-api-version", message: `must be ${fleetVersion}` });
  }
  return { issues, refuse: true };
}

function normalizeQuery(
  operation: FleetOperationId,
  query: UncheckedQuery,
  readings: MockReadings,
): UncheckedQuery {
  if (!isUnpaged(operation, readings)) return clampQuery(operation, query, readings);
  const { page: _page, limit: _limit, ...others } = query;
  return others;
}

/** gap fleet.limit-out-of-range */
function clampQuery(
  operation: FleetOperationId,
  query: UncheckedQuery,
  readings: MockReadings,
): UncheckedQuery {
  if (readings["fleet.limit-out-of-range"] !== "clamped") return query;
  const clamped = { ...query };
  const known: Operation = fleetOperations[operation];
  const rules: Readonly<Record<string, QueryRule>> = known.query ?? {};
  for (const [name, { minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER }] of Object.entries(rules)) {
    const value = clamped[name];
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) continue;
    clamped[name] = String(Math.min(Math.max(Number(value), minimum), maximum));
  }
  return clamped;
}
