import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { Answer, Issue } from "../../kernel/api-response.ts";
import type { Api } from "../../kernel/api.ts";
import type { RawQuery } from "../../kernel/query.ts";
import type { MockReadings } from "../../kernel/readings.ts";
import type { CoreRequest } from "../../kernel/request.ts";
import { Routes } from "../../kernel/routes.ts";
import { presented } from "../../kernel/redaction.ts";
import type { Tenant } from "../../kernel/tenant.ts";
import type { FleetContext } from "./context.ts";
import { fleetRefusals, forbidden, unauthorized } from "./errors.ts";
import { fleetHandlers } from "./handlers.ts";
import { keyFault } from "./keys.ts";
import { comesWhole } from "./page.ts";
import { fleetSchemas } from "./schemas.ts";
import { requirementOf, suffices } from "./scopes.ts";

/** The fleet API, as the core sees it. */
export const fleetApi: Api<FleetContext> = {
  routes: new Routes(fleetOperations),
  schemas: fleetSchemas,
  handlers: fleetHandlers,
  refusals: fleetRefusals,
  admit,
  headers,
  query: askedQuery,
  unknown: () => [],
  findFirst: () => true,
  context: (tenant, request, exchange) => ({
    ...exchange,
    data: request.base === "sandbox" ? tenant.sandbox : tenant.fleet,
  }),
};

function admit(tenant: Tenant, request: CoreRequest, operation: string): Answer | undefined {
  const shown = presented(request.authorization);
  const known = shown === undefined ? undefined : tenant.keys.get(shown);
  const environment = request.base === "sandbox" ? "sandbox" : "production";
  const fault = keyFault(shown, known, environment, tenant);
  if (fault !== undefined || known === undefined) return unmet(unauthorized(fault ?? ""), fault ?? "");
  const requirement = requirementOf(operation as FleetOperationId, tenant.readings);
  if (suffices(requirement, known.scopes, tenant.readings)) return undefined;
  const needs = `the key needs ${requirement.scopes.join(requirement.rule === "any" ? " or " : " and ")}`;
  return unmet(forbidden(requirement.scopes, known.scopes, tenant.readings), needs);
}

function unmet(answer: Answer, message: string): Answer {
  return { ...answer, unmet: [{ path: "authorization", message }] };
}

/** Content-Type is required for POST and PUT; of PATCH nothing is said. gaps fleet.version-header, fleet.unknown-version */
function headers(
  { method, contentType, apiVersion }: CoreRequest,
  readings: MockReadings,
): { issues: Issue[]; refuse: boolean } {
  const issues: Issue[] = [];
  if ((method === "POST" || method === "PUT") && !/^application\/json\b/i.test(contentType ?? "")) {
    issues.push({ path: "content-type", message: "must be application/json" });
  }
  if (apiVersion === undefined && readings["fleet.version-header"] === "required") {
    issues.push({ path: "x-service-api-version", message: "is required" });
  }
  if (apiVersion !== undefined && apiVersion !== "v1" && readings["fleet.unknown-version"] === "rejected") {
    issues.push({ path: "x-service-api-version", message: "must be v1" });
  }
  return { issues, refuse: true };
}

const BOUNDS: readonly (readonly [name: string, most: number])[] = [
  ["page", Number.MAX_SAFE_INTEGER],
  ["limit", 100],
];

function askedQuery(operation: string, raw: RawQuery, readings: MockReadings): RawQuery {
  if (!comesWhole(operation, readings)) return clampedQuery(raw, readings);
  const { page: _page, limit: _limit, ...others } = raw;
  return others;
}

/** gap fleet.limit-out-of-range */
function clampedQuery(raw: RawQuery, readings: MockReadings): RawQuery {
  if (readings["fleet.limit-out-of-range"] !== "clamped") return raw;
  const query = { ...raw };
  for (const [name, most] of BOUNDS) {
    const value = query[name];
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) continue;
    query[name] = String(Math.min(Math.max(Number(value), 1), most));
  }
  return query;
}
