import { type Exchange, isOk } from "./exchange.ts";
import { NoEvidence, RunEnded } from "../sender/failures.ts";
import type { RequestSpec } from "../sender/sender.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Service } from "./service.ts";

/** The number of attempts of a request that restores or deletes data. */
const MAX_ATTEMPTS = 4;

/** Sends a request until a response satisfies a condition; `undefined` if none does. */
async function sendUntil(
  service: Service,
  spec: Pick<RequestSpec, "method" | "path" | "body">,
  isDone: (exchange: Exchange) => boolean,
): Promise<Exchange | undefined> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const exchange = await attempt(() => service.send({ ...spec, isCleanup: true }));
    if (exchange?.isEvidence === true && isDone(exchange)) return exchange;
  }
  return undefined;
}

/** Reads a path until there is a response; `undefined` if every attempt fails. */
export function readStored(service: Service, path: string): Promise<Exchange | undefined> {
  return sendUntil(service, { method: "GET", path }, () => true);
}

/** Restores the ID of a store; returns whether it had the other one. */
export async function restoreName(service: Service, alias: string, body: JsonObject): Promise<boolean> {
  const exchange = await readStored(service, alias);
  return exchange !== undefined && isOk(exchange) && restorePath(service, alias, body);
}

/** Sends a PUT until it succeeds; returns false if every attempt fails. */
export async function restorePath(service: Service, path: string, body: unknown): Promise<boolean> {
  return (await sendUntil(service, { method: "PUT", path, body }, isOk)) !== undefined;
}

/** Sends a PUT until a read shows what was restored; returns false if none does. */
export async function restoreVisibly(
  service: Service,
  path: string,
  body: unknown,
  isRestored: (exchange: Exchange) => boolean,
): Promise<boolean> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    if (!(await restorePath(service, path, body))) return false;
    const read = await readStored(service, path);
    if (read !== undefined && isOk(read) && isRestored(read)) return true;
  }
  return false;
}

/** Deletes a row; returns whether it no longer exists. */
export async function deleteCreated(service: Service, path: string): Promise<boolean> {
  return (await sendUntil(service, { method: "DELETE", path }, isGone)) !== undefined;
}

function isGone(exchange: Exchange): boolean {
  return isOk(exchange) || exchange.status === 404;
}

/** Returns the result of requests; `undefined` if there was no response. */
export async function attempt<Result>(send: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NoEvidence || error instanceof RunEnded) return undefined;
    throw error;
  }
}
