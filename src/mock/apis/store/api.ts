import { type StoreOperationId, storeOperations } from "../../../../generated/store.operations.ts";
import type { Answer, Issue } from "../../kernel/api-response.ts";
import type { Api } from "../../kernel/api.ts";
import type { RawQuery } from "../../kernel/query.ts";
import type { MockReadings } from "../../kernel/readings.ts";
import type { CoreRequest } from "../../kernel/request.ts";
import { Routes } from "../../kernel/routes.ts";
import { presented } from "../../kernel/redaction.ts";
import type { Tenant } from "../../kernel/tenant.ts";
import { unknownMembers } from "../../kernel/unknown-members.ts";
import type { StoreContext } from "./context.ts";
import { storeError, storeRefusals } from "./errors.ts";
import { storeHandlers } from "./handlers.ts";
import { storeSchemas } from "./schemas.ts";

/** The store API, as the core sees it. */
export const storeApi: Api<StoreContext> = {
  routes: new Routes(storeOperations),
  schemas: storeSchemas,
  handlers: storeHandlers,
  refusals: storeRefusals,
  admit,
  headers,
  query: (_operation, raw) => raw,
  unknown,
  findFirst: (readings) => readings["requests.check-order"] === "not-found-first",
  context: (tenant, _request, exchange) => ({ ...exchange, data: tenant.store }),
};

function admit(
  { token, isConfigured, readings }: Tenant,
  { authorization }: CoreRequest,
): Answer | undefined {
  if (!isConfigured) return storeError("not_configured", readings);
  if (presented(authorization) === token) return undefined;
  const message = authorization === undefined ? "is required" : "is not the bearer token of this server";
  return { ...storeError("unauthorized", readings), unmet: [{ path: "authorization", message }] };
}

/** Bodies are JSON by convention; nothing says what becomes of one that is called otherwise, so it is only noted. */
function headers({ method, contentType }: CoreRequest): { issues: Issue[]; refuse: boolean } {
  const named = method !== "PUT" || /^application\/json\b/i.test(contentType ?? "");
  return {
    issues: named ? [] : [{ path: "content-type", message: "should be application/json" }],
    refuse: false,
  };
}

/** The cursor of the protocol list is undeclared, and has a gap of its own: protocols.next-page. */
function unknown(operation: string, raw: RawQuery, body: unknown, readings: MockReadings): Issue[] {
  if (readings["requests.unknown-members"] === "ignored") return [];
  const issues = unknownMembers(storeSchemas[operation as StoreOperationId], raw, body);
  return operation === "listProtocols" ? issues.filter(({ path }) => path !== "cursor") : issues;
}
