import * as schemas from "../../../../generated/store.schemas.ts";
import { type StoreOperationId, storeOperations } from "../../../../generated/store.operations.ts";
import { storeContract } from "../../../../generated/store.contract.ts";
import type { ApiDefinition, HeaderCheck, UnknownInput } from "../../server/api.ts";
import { type RequestSchemas, requestSchemas } from "../../server/schemas.ts";
import type { MockReadings } from "../../server/readings.ts";
import { namesOf } from "../../../wire/names.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { getExpositions, putExpositions } from "./expositions.ts";
import { getExpositionFillRate, getFillRates, getStoreFillRates } from "./fill-rates.ts";
import { listPhotos, splitStatuses } from "./photos.ts";
import { getProtocol, listProtocols } from "./protocols.ts";
import { contacts, expectations } from "./replaced-lists.ts";
import { getStore, listStores, putStore } from "./stores.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import type { UncheckedQuery } from "../../http/query.ts";
import type { CoreRequest } from "../../http/request.ts";
import { Routes } from "../../../wire/routes.ts";
import { bearerToken } from "../../../wire/credentials.ts";
import type { Server } from "../../server/server.ts";
import { unknownParameterIssues } from "../../server/unknown-input.ts";
import { credentialFault } from "../../server/credential-fault.ts";
import type { StoreData, StoreToken } from "./data.ts";
import { storeError, storeErrors } from "./errors.ts";

const ids = namesOf(storeOperations);

const openSchemas = requestSchemas(ids, schemas);
const closedSchemas = requestSchemas(ids, schemas, storeContract);

/** Returns the schemas of the query and the body of an operation. gap requests.unlisted-values */
function storeSchemas(operation: StoreOperationId, readings: MockReadings): RequestSchemas {
  const known = readings["requests.unlisted-values"] === "rejected" ? closedSchemas : openSchemas;
  return known[operation];
}

export const storeHandlers: Readonly<Record<StoreOperationId, StoreHandler>> = {
  listStores,
  getStore,
  putStore,
  getContacts: contacts.get,
  putContacts: contacts.put,
  getExpectations: expectations.get,
  putExpectations: expectations.put,
  getExpositions,
  putExpositions,
  listProtocols,
  getProtocol,
  listPhotos,
  getStoreFillRates,
  getExpositionFillRate,
  getFillRates,
};

/** The part of a server's state that belongs to the store API. */
export interface StoreApiState {
  readonly token: string;
  /** All tokens, by their secret. */
  readonly tokens: Map<string, StoreToken>;
  /** Whether a token is configured; without one every response is 503. */
  readonly isConfigured: boolean;
  readonly store: StoreData;
}

export const storeApi: ApiDefinition<StoreApiState, StoreContext, StoreOperationId> = {
  routes: new Routes(storeOperations),
  schemas: storeSchemas,
  handlers: storeHandlers,
  errors: storeErrors,
  authorize,
  isRateLimited: (readings) => readings["limits.store-rate"] === "too-many-requests",
  checkHeaders,
  normalizeQuery: (operation, query, readings) => {
    if (operation === "listPhotos") return splitStatuses(query, readings);
    return operation === "getFillRates" ? withFlag(query, readings) : query;
  },
  findUnknownInput,
  notFoundFirst: (readings) => readings["requests.check-order"] === "not-found-first",
  dataOf: ({ store }) => store,
};

/** gap fill-rates.false-flag */
function withFlag(query: UncheckedQuery, readings: MockReadings): UncheckedQuery {
  if (query.belowExpectationOnly === undefined || readings["fill-rates.false-flag"] === "same") return query;
  return { ...query, belowExpectationOnly: "true" };
}

function authorize(
  { state, readings, clock }: Server<StoreApiState>,
  { authorization }: CoreRequest,
): ApiResponse | undefined {
  if (!state.isConfigured) return storeError("not_configured", readings);
  const secret = bearerToken(authorization);
  const fault =
    secret === undefined
      ? "The token is missing: expected the header Authorization: Bearer <token>"
      : credentialFault("token", state.tokens.get(secret), clock);
  if (fault === undefined) return undefined;
  const message = authorization === undefined ? "is required" : "is not a valid bearer token of this server";
  return {
    ...storeError("unauthorized", readings, { message: fault }),
    violations: [{ path: "authorization", message }],
  };
}

/**
 * Bodies are JSON by convention. The contract does not define the effect of another media type, so it is only
 * recorded.
 */
function checkHeaders({ method, contentType }: CoreRequest): HeaderCheck {
  const isJson = method !== "PUT" || /^application\/json\b/i.test(contentType ?? "");
  return {
    issues: isJson ? [] : [{ path: "content-type", message: "must be application/json" }],
    refuse: false,
  };
}

/**
 * The cursor of the protocol list is not in the contract, and has its own gap: protocols.next-page. gap
 * requests.unknown-properties
 */
function findUnknownInput(
  operation: StoreOperationId,
  query: UncheckedQuery,
  body: unknown,
  readings: MockReadings,
): UnknownInput {
  const isRejected = readings["requests.unknown-properties"] === "rejected";
  const all = unknownParameterIssues(storeSchemas(operation, readings), query, isRejected ? body : undefined);
  const issues = operation === "listProtocols" ? all.filter(({ path }) => path !== "cursor") : all;
  return isRejected ? { rejected: issues, ignored: [] } : { rejected: [], ignored: issues };
}
