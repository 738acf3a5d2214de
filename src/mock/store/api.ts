import { storeContract } from "../../../generated/store.contract.ts";
import { type StoreOperationId, storeOperations } from "../../../generated/store.operations.ts";
import * as schemas from "../../../generated/store.schemas.ts";
import type { StoreErrorCode } from "../../../generated/store.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
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
import { nameValue } from "../server/quotes.ts";
import { closeSchema, requestSchemas, type Schema } from "../server/schemas.ts";
import { getExpositionFillRate, getFillRates, getStoreFillRates, requestedStores } from "./fill-rates.ts";
import { contacts, expectations, getExpositions, putExpositions } from "./lists.ts";
import { getProtocol, listPhotos, listProtocols } from "./protocols.ts";
import { getStore, listStores, putStore } from "./stores.ts";

const contract: Readonly<Record<StoreOperationId, OperationContract<Schema>>> = storeContract;

/** A body may have only what the contract lists: gaps requests.unlisted-values, requests.unknown-properties. */
const storeSchemas = tableOf(namesOf(storeOperations), (id) => {
  const { body } = contract[id];
  return { query: requestSchemas(id, schemas).query, body: body && closeSchema(body) };
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
  requireCredential(call, "token", server.credentials.tokens);
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
  const known = Object.keys(contract[call.operation as StoreOperationId].query ?? {}); // the routes of this API have no other
  // the cursor of the protocol list has its own gap: protocols.next-page
  return unknownParameters(call, call.operation === "listProtocols" ? [...known, "cursor"] : known);
}

/** Returns an issue for each value of a request that the server ignores, so that the response does not show the mistake. */
function ignoredValues(call: Call): Issue[] {
  if (call.operation === "putStore") return ignoredExternalId(call);
  if (call.operation === "putExpositions") return ignoredExpositions(call);
  if (call.operation === "listPhotos") return unknownFilters(call);
  return call.operation === "getFillRates" ? unknownStores(call) : [];
}

/** gap stores.body-external-id */
function ignoredExternalId({ body, params, is }: Call): Issue[] {
  const { externalId } = objectOf(body);
  const isIgnored = is("stores.body-external-id", "path-wins") && typeof externalId === "string";
  if (!isIgnored || externalId === params.externalId) return [];
  const message = `must be the external ID in the path, not ${nameValue(externalId)}`;
  return [{ path: "externalId", message }];
}

/** Of two elements with one ID the last one counts. gaps lists.duplicates, expositions.unknown-id */
function ignoredExpositions({ body, params, is, store }: Call): Issue[] {
  const ids = objectsIn(objectOf(body).expositions).map(({ expositionId }) =>
    typeof expositionId === "string" ? expositionId.toLowerCase() : "",
  );
  const stored = store.expositions.read(params.externalId ?? "") ?? [];
  const known = new Set(stored.map(({ expositionId }) => expositionId.toLowerCase()));
  const isReplaced = is("expositions.unknown-id", "created-with-new-id");
  return ids.flatMap((id, index): Issue[] => {
    const path = `expositions.${index}.expositionId`;
    if (id === "") return [];
    if (ids.lastIndexOf(id) !== index)
      return [{ path, message: "must not be that of another element, which replaces this one" }];
    return isReplaced && !known.has(id)
      ? [{ path, message: "is not the ID of an exposition of this store" }]
      : [];
  });
}

/** UUIDs are equal in upper and lower case. gap photos.unknown-ids */
function unknownFilters({ sentQuery, params, store }: Call): Issue[] {
  const { externalId = "" } = params;
  if (!store.stores.has(externalId)) return [];
  const { protocols, expositions, photos } = store;
  const rows = objectsIn(
    [protocols, expositions, photos].flatMap((list): object[] => list.read(externalId) ?? []),
  );
  return (["protocolId", "expositionId"] as const).flatMap((name) => {
    const given = sentQuery[name];
    if (typeof given !== "string") return [];
    if (rows.some((row) => String(row[name]).toLowerCase() === given.toLowerCase())) return [];
    const message = `no ${name.slice(0, -"Id".length)} of this store has the ID ${nameValue(given)}`;
    return [{ path: name, message, code: "not_found" }];
  });
}

/** gap fill-rates.unknown-stores */
function unknownStores({ sentQuery, store }: Call): Issue[] {
  return requestedStores(sentQuery.externalIds)
    .filter((id) => !store.stores.has(id))
    .map((id) => ({ path: "externalIds", message: `no store has the external ID ${nameValue(id)}` }));
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
