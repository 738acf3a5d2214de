import { zFleetErrorBody } from "../../generated/fleet.schemas.ts";
import { zStoreErrorBody } from "../../generated/store.schemas.ts";
import { parseKey } from "../wire/secret.ts";
import { NoDataError, type Reply, ServiceError } from "./client.ts";
import { findDifferences, valueAt } from "./schema.ts";
import type { Service } from "./service.ts";

/** The list whose first response shows address and credential. */
const firstList = { store: "/v1/stores", fleet: "/vehicles" } as const;

/** Sends the first request. If it fails, no further check can be made. */
export async function checkAddress(service: Service): Promise<void> {
  const { api, base } = service.target;
  let reply = await service.get(firstList[api]);
  if (reply.status === 404)
    throw new ServiceError(
      "404: the base URL is not that of the API",
      "check the path of the URL; the store API has paths such as /v1/stores, the fleet API /vehicles",
    );
  if (api === "fleet" && reply.status === 400) reply = await sendVersion(service, reply);
  service.replies.set(firstList[api], reply);
  service.ok(base.startsWith("http:") ? "HTTP/1.1 without TLS" : "HTTP/1.1 over TLS");
}

/** Returns the response to a request with the optional header of the version, if the service refuses one without it. */
async function sendVersion(service: Service, refusal: Reply): Promise<Reply> {
  const before = service.headers;
  service.headers = { ...before, "x-service-api-version": "v1" };
  const reply = await service.get(firstList.fleet);
  if (reply.status === 400) {
    service.headers = before;
    return refusal;
  }
  const words = "every request needs the header X-Service-API-Version, which apiVersion sends";
  service.read("fleet.version-header", "required", words);
  service.options.set("apiVersion", '"v1"');
  return reply;
}

/** Explains 401 and 403, and asks without the credential. */
export async function checkCredential(service: Service): Promise<void> {
  const { api, credential, secret } = service.target;
  const path = firstList[api];
  const reply = service.replies.get(path) as Reply; // the address was checked
  if (reply.status === 401) {
    checkError(service, reply, 401);
    throw new ServiceError(
      `401: the ${credential} is wrong, expired, revoked, or of another environment`,
      `give doctor another ${credential}, or ask the operator for a new one`,
    );
  }
  const anonymous = await service.get(path, {}, true);
  if (anonymous.status === 401) checkError(service, anonymous, 401);
  else service.differ(`without a ${credential} the status is ${anonymous.status} instead of 401`);
  if (reply.status === 403) throw new NoDataError(`the ${credential} is valid, but may not read ${path}`);
  if (anonymous.status === 200)
    throw new NoDataError(`the service needs no ${credential}: nothing shows if yours is valid`);
  if (reply.status !== 200)
    throw new NoDataError(`status ${reply.status} does not show if the ${credential} is valid`);
  const environment = api === "fleet" ? parseKey(secret)?.environment : "store";
  service.ok(`the ${environment} ${credential} is accepted`);
}

const codes = {
  store: { 400: "validation_failed", 401: "unauthorized", 404: "not_found" },
  fleet: { 401: "UNAUTHORIZED", 404: "NOT_FOUND", 400: undefined }, // the body of 400 is not documented
};

/** Compares the body of an error with the contract; returns whether it is as documented. */
export function checkError(service: Service, { body, form }: Reply, status: 400 | 401 | 404): boolean {
  const { api } = service.target;
  const schema = api === "store" ? zStoreErrorBody : zFleetErrorBody;
  const differences = form === "JSON" ? findDifferences(body, schema) : [`it is ${form}`];
  const code = valueAt(body, api === "store" ? "error.code" : "errors[].code");
  const expected = codes[api][status];
  // the schema names a missing code
  if (code !== expected && differences.length === 0 && code) differences.push(`its code is not ${expected}`);
  return !service.differ(...differences.map((difference) => `the body of ${status}: ${difference}`));
}

/** Requests an entity that does not exist. */
export async function checkUnknown(service: Service): Promise<void> {
  service.ids.set("unknown", crypto.randomUUID());
  const isStore = service.target.api === "store";
  const reply = await service.get(isStore ? "/v1/stores/{unknown}" : "/damages/{unknown}");
  if (reply.status === 403) throw new NoDataError("the key may not read damages");
  if (reply.status !== 404) service.differ(`an unknown ID has status ${reply.status} instead of 404`);
  else if (checkError(service, reply, 404)) service.ok("404, with the documented body");
}
