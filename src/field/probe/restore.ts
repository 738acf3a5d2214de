import { type Exchange, isOk } from "./exchange.ts";
import { NoEvidence, RunEnded } from "../sender/failures.ts";
import type { JsonObject } from "./json.ts";
import type { Service } from "./service.ts";

/** The number of attempts of a request that restores data. */
const MAX_ATTEMPTS = 4;

/** Reads a path until there is a response; `undefined` if every attempt fails. */
export async function readStored(service: Service, path: string): Promise<Exchange | undefined> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const exchange = await attempt(() => service.send({ method: "GET", path, isCleanup: true }));
    if (exchange?.isEvidence === true) return exchange;
  }
  return undefined;
}

/** Restores the ID of a store; returns whether it had the other one. */
export async function restoreName(service: Service, alias: string, body: JsonObject): Promise<boolean> {
  const exchange = await readStored(service, alias);
  return exchange !== undefined && isOk(exchange) && restorePath(service, alias, body);
}

/** Sends a PUT until it succeeds; returns false if every attempt fails. */
export async function restorePath(service: Service, path: string, body: unknown): Promise<boolean> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const exchange = await attempt(() => service.send({ method: "PUT", path, body, isCleanup: true }));
    if (exchange !== undefined && exchange.isEvidence && isOk(exchange)) return true;
  }
  return false;
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
