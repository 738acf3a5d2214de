import { once } from "node:events";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { zFleetErrorBody } from "../../generated/fleet.schemas.ts";
import { zStoreErrorBody } from "../../generated/store.schemas.ts";
import { parseKey } from "../wire/fleet-key.ts";
import { NoDataError, ServiceError, type Reply } from "./client.ts";
import { findDifferences, valueAt } from "./schema.ts";
import type { Service } from "./service.ts";

/** The list whose first response shows address and credential. */
const firstList = { store: "/v1/stores", fleet: "/vehicles" } as const;

/** Sends the first request. If it fails, no further check can be made. */
export async function checkAddress(service: Service): Promise<void> {
  const { api, base } = service.target;
  const reply = await service.get(firstList[api]);
  if (reply.status === 404) throw new ServiceError("404: the base URL is not that of the API");
  service.replies.set(firstList[api], reply);
  const seconds = Math.round((Date.parse(reply.headers.get("date") ?? "") - Date.now()) / 1000);
  const clock = Number.isNaN(seconds) ? "no Date header" : `its clock differs by ${seconds} s`;
  service.ok(`${await describeConnection(new URL(base))}; ${clock}`);
}

/** Opens a connection of its own, because `fetch` shows neither protocol nor certificate. */
async function describeConnection({ protocol, hostname, port }: URL): Promise<string> {
  if (protocol === "http:") return "HTTP/1.1 without TLS";
  const host = hostname.replaceAll(/[[\]]/g, "");
  const options = { host, servername: isIP(host) === 0 ? host : "", ALPNProtocols: ["h2", "http/1.1"] };
  const socket = connect({ ...options, port: Number(port || 443) });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(5_000) });
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / 86_400_000);
    const version = socket.alpnProtocol === "h2" ? "HTTP/2 and HTTP/1.1" : "HTTP/1.1";
    return `${version}, ${socket.getProtocol()}, certificate valid for ${days} days`;
  } catch {
    return "HTTP/1.1 over TLS"; // a proxy may be the only way to the host
  } finally {
    socket.destroy();
  }
}

/** Explains 401 and 403, and asks without the credential. */
export async function checkCredential(service: Service): Promise<void> {
  const { api, credential, secret } = service.target;
  const path = firstList[api];
  const reply = service.replies.get(path) as Reply; // the address was checked
  const environment = api === "fleet" ? parseKey(secret)?.environment : "store";
  if (environment === undefined) service.differ("the key does not have the form of section 5");
  if (reply.status === 401) {
    checkError(service, reply, 401);
    throw new ServiceError(`401: the ${credential} is wrong, expired, revoked, or of another environment`);
  }
  const anonymous = await service.get(path, {}, true);
  if (anonymous.status === 401) checkError(service, anonymous, 401);
  else service.differ(`without a ${credential} the status is ${anonymous.status} instead of 401`);
  if (reply.status === 403) throw new NoDataError(`the ${credential} is valid, but may not read ${path}`);
  if (reply.status === 400)
    throw new NoDataError("400: the client may need apiVersion, if the API has versions");
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
