import { storeContract } from "../../../generated/store.contract.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import * as schemas from "../../../generated/store.schemas.ts";
import type { StoreErrorCode } from "../../../generated/store.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import type { OperationContract } from "../../wire/operation.ts";
import {
  type Api,
  type Call,
  contentTypeIssue,
  type FoundIssues,
  type Handler,
  isJsonType,
  unknownParameters,
} from "../server/call.ts";
import { requireCredential } from "../server/credentials.ts";
import { type ErrorParts, type Issue, Refusal } from "../server/exchange.ts";
import { Routes } from "../server/operations.ts";
import { closeSchema } from "../server/bodies.ts";
import { partsOf, requestSchemas, type Schema } from "../server/schemas.ts";
import { getExpositions, putExpositions } from "./expositions.ts";
import { ignoredValues } from "./ignored-values.ts";
import { getExpositionFillRate, getFillRates, getStoreFillRates } from "./fill-rates.ts";
import { contacts, expectations } from "./lists.ts";
import { getProtocol, listPhotos, listProtocols } from "./protocols.ts";
import { getStore, listStores, putStore } from "./stores.ts";

const contract: Readonly<Record<string, OperationContract<Schema>>> = storeContract;

/** A body may have only the values of enums that the contract lists: gap requests.unlisted-values. */
const storeSchemas = tableOf(namesOf(storeOperations), (id) => ({
  query: requestSchemas(id, schemas).query,
  body: closed(contract[id]?.body),
}));

/** Returns the schema of a body without further properties. gap requests.unknown-properties */
function closed(body: Schema | undefined): Schema | undefined {
  return body && closeSchema(body);
}

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
  schemas: storeSchemas,
  routes: new Routes(storeOperations),
  limitGap: "limits.store-rate",
  authorize,
  findIssues,
  errorBody,
};

function authorize(call: Call): void {
  const { server } = call;
  if (!server.isConfigured)
    throw new Refusal(503, { code: "not_configured", message: "The service has no API token configured" });
  requireCredential(call, "token", server.tokens);
}

/** The media types of bodies that no JSON API reads. */
const FOREIGN_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/|(?:text|application)\/xml)/i;

/**
 * Bodies are JSON by convention. The contract does not define the effect of another media type, so it is only recorded,
 * except for forms and XML, which the fleet API also rejects. gap requests.unknown-properties
 */
function findIssues(call: Call): FoundIssues {
  const { method, headers } = call.request;
  const contentType = headers?.["content-type"] ?? "";
  const isJson = method !== "PUT" || isJsonType(contentType);
  const ofType = isJson ? [] : [contentTypeIssue(contentType === "" ? undefined : contentType)];
  const [rejected, tolerated] = FOREIGN_TYPE.test(contentType) ? [ofType, []] : [[], ofType];
  return { rejected, tolerated: [...tolerated, ...undefinedParameters(call), ...ignoredValues(call)] };
}

/** Returns an issue for each parameter that the contract does not define. */
function undefinedParameters(call: Call): Issue[] {
  const { query } = storeSchemas[call.operation as StoreOperationId]; // the routes of this API have no other
  const known = query === undefined ? [] : Object.keys(partsOf(query).shape ?? {});
  // the cursor of the protocol list has its own gap: protocols.next-page
  const isDecided = ({ path }: Issue): boolean => call.operation === "listProtocols" && path === "cursor";
  return unknownParameters(call, known).filter((issue) => !isDecided(issue));
}

const CODES: Readonly<Record<number, StoreErrorCode>> = {
  400: "validation_failed",
  401: "unauthorized",
  404: "not_found",
  413: "validation_failed",
};

const MESSAGES: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "The token is missing or invalid",
  404: "No resource has this ID",
};

/**
 * Returns the body of an error. A forced 503 is an outage: `not_configured` would mean that there is no token. gap
 * errors.issue-codes
 */
function errorBody(status: number, parts: ErrorParts): object {
  const { code = CODES[status], message = MESSAGES[status] ?? "The request failed", issues = [] } = parts;
  const listed = issues.map((issue) => ({ ...issue, code: issue.code ?? "custom" }));
  return {
    error: { ...(code && { code }), message, ...(status === 400 && issues.length > 0 && { issues: listed }) },
  };
}
