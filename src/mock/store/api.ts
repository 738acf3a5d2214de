import { storeContract } from "../../../generated/store.contract.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import * as schemas from "../../../generated/store.schemas.ts";
import { bearerToken } from "../server/secret-headers.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import type { OperationContract } from "../../wire/operation.ts";
import { unknownParameter } from "../server/unknown-parameter.ts";
import type { Api, Call, FoundIssues, Handler } from "../server/call.ts";
import { statusOf } from "../server/credentials.ts";
import { type Issue, Refusal, type UncheckedQuery } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { MAX_ISSUES, partsOf, requestSchemas, type RequestSchemas, type Schema } from "../server/schemas.ts";
import { documentedBody, errorBody, invalid, storeError } from "./errors.ts";
import { getExpositions, putExpositions } from "./expositions.ts";
import { getExpositionFillRate, getFillRates, getStoreFillRates } from "./fill-rates.ts";
import { contacts, expectations } from "./lists.ts";
import { listPhotos, splitStatuses } from "./photos.ts";
import { getProtocol, listProtocols } from "./protocols.ts";
import { getStore, listStores, putStore } from "./stores.ts";

const openSchemas = tableOf(namesOf(storeOperations), (id) => requestSchemas(id, schemas));

const contract: Readonly<Record<string, OperationContract<Schema>>> = storeContract;

/** The same with the values of enums that the contract lists. */
const closedSchemas = tableOf(namesOf(storeOperations), (id): RequestSchemas => {
  const { body } = contract[id] ?? {};
  return { ...openSchemas[id], ...(body && { body }) };
});

const handlers: Readonly<Record<StoreOperationId, Handler<never>>> = {
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

export const storeApi: Api = {
  handlers,
  schemas: schemasOf,
  authorize,
  isRateLimited: (is) => is("limits.store-rate", "too-many-requests"),
  findHeaderIssues,
  normalizeQuery,
  findUnknownInput,
  findMissingReferences: () => [],
  isNotFoundFirst: (is) => is("requests.check-order", "not-found-first"),
  invalid,
  failure: (status, message, is) => {
    // gap errors.other-statuses: the contract has no 405
    if (status === 404 || status === 405) return storeError("not_found", is, message);
    const code = status === 413 ? "validation_failed" : undefined;
    return { status, body: errorBody(code, is, message) };
  },
  documentedBody: (status, { is }) => documentedBody(status, is),
};

/** gap requests.unlisted-values */
function schemasOf(operation: string, is: Is): RequestSchemas {
  const known = is("requests.unlisted-values", "rejected") ? closedSchemas : openSchemas;
  return known[operation as StoreOperationId]; // the routes of this API have no other
}

function authorize({ server, request: { authorization }, is }: Call): void {
  if (!server.isConfigured) throw new Refusal(storeError("not_configured", is));
  const secret = bearerToken(authorization);
  const token = secret === undefined ? undefined : server.tokens.get(secret);
  const status = token && statusOf(token, server.clock);
  if (status === "active") return;
  const faults = { revoked: "it was revoked", expired: "it has expired" };
  const fault = status === undefined ? "this server has no such token" : faults[status];
  const reason =
    secret === undefined
      ? "The token is missing: expected the header Authorization: Bearer <token>"
      : `The token is invalid: ${fault}`;
  const message = authorization === undefined ? "is required" : "is not a valid bearer token of this server";
  const reply = { ...storeError("unauthorized", is, reason), headers: { "www-authenticate": "Bearer" } };
  throw new Refusal(reply, [{ path: "authorization", message }]);
}

/** The media types of bodies that no JSON API reads. */
const FOREIGN_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/|(?:text|application)\/xml)/i;

/**
 * Bodies are JSON by convention. The contract does not define the effect of another media type, so it is only recorded,
 * except for forms and XML, which the fleet API also rejects.
 */
function findHeaderIssues({ request: { method, contentType } }: Call): FoundIssues {
  const isJson = method !== "PUT" || /^application\/json\b/i.test(contentType ?? "");
  const issues = isJson ? [] : [{ path: "content-type", message: "must be application/json" }];
  return FOREIGN_TYPE.test(contentType ?? "")
    ? { rejected: issues, tolerated: [] }
    : { rejected: [], tolerated: issues };
}

/** gaps photos.two-statuses, fill-rates.false-flag */
function normalizeQuery({ operation, sentQuery: query, is }: Call): UncheckedQuery {
  if (operation === "listPhotos") return splitStatuses(query, is);
  const isFlag = operation === "getFillRates" && query.belowExpectationOnly !== undefined;
  return isFlag && is("fill-rates.false-flag", "counts-as-true")
    ? { ...query, belowExpectationOnly: "true" }
    : query;
}

/** The cursor of the protocol list has its own gap: protocols.next-page. gap requests.unknown-properties */
function findUnknownInput({ operation, sentQuery, body, is }: Call): FoundIssues {
  const isRejected = is("requests.unknown-properties", "rejected");
  const { query, body: bodySchema } = schemasOf(operation, is);
  // for an operation without query and body the contract documents no status that could reject a parameter
  if (query === undefined && bodySchema === undefined) return { rejected: [], tolerated: [] };
  const known = query === undefined ? [] : Object.keys(partsOf(query).shape ?? {});
  const issues = Object.keys(sentQuery)
    .filter((name) => !known.includes(name) && !(operation === "listProtocols" && name === "cursor"))
    .slice(0, MAX_ISSUES)
    .map((path): Issue => ({ path, message: unknownParameter(known), code: "unrecognized_keys" }));
  if (!isRejected) return { rejected: [], tolerated: issues };
  if (bodySchema !== undefined) addUnknownProperties(bodySchema, body, [], issues);
  return { rejected: issues, tolerated: [] };
}

/** Adds an issue for each property of a body that the schema does not name. */
function addUnknownProperties(
  schema: Schema,
  value: unknown,
  path: readonly string[],
  issues: Issue[],
): void {
  const { shape, element } = partsOf(schema);
  if (issues.length >= MAX_ISSUES || typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const inner = Array.isArray(value)
      ? element
      : shape !== undefined && Object.hasOwn(shape, name)
        ? shape[name]
        : undefined;
    if (inner !== undefined) addUnknownProperties(inner, part, [...path, name], issues);
    else if (shape !== undefined && !Array.isArray(value))
      issues.push({
        path: [...path, name].join("."),
        message: `is not a property of this object. Expected one of ${Object.keys(shape).join(", ")}`,
        code: "unrecognized_keys",
      });
  }
}
