import { STORES, largestPage } from "../routes.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "./exchange.ts";
import { DESCRIBED, LISTS } from "./experiments/fleet/data.ts";
import { NoEvidence, NoResponse, RunEnded } from "../sender/failures.ts";
import type { RunTools } from "./experiment-tools.ts";
import { Missing, ProbeOptionError, ProbeServiceError } from "./failures.ts";
import { isObject, objectOf } from "../../wire/json.ts";
import { attempt } from "./restore.ts";
import type { ScratchStore } from "./scratch.ts";
import type { Service } from "./service.ts";

/**
 * Checks both APIs. Returns the failures, after which the other API is still probed.
 *
 * @throws {ProbeServiceError} if no API is left
 */
export async function checkServices({
  store,
  fleet,
  budget,
}: RunTools): Promise<Map<"store" | "fleet", ProbeServiceError>> {
  const failures = new Map<"store" | "fleet", ProbeServiceError>();
  const checks = [
    ["store", () => store && checkStore(store)],
    ["fleet", () => fleet && checkFleet(fleet)],
  ] as const;
  for (const [api, check] of checks) {
    try {
      await check();
    } catch (error) {
      if (budget.ended === "stopped") return failures; // the service is not the reason
      if (!(error instanceof ProbeServiceError)) throw error;
      failures.set(api, error);
      budget.forgive();
    }
  }
  const [failure] = failures.values();
  if (failure !== undefined && failures.size === [store, fleet].filter(Boolean).length) throw failure;
  return failures;
}

/** @throws {ProbeOptionError} if the scratch store is another one, or does not exist and may not be created */
export async function checkScratchStore(
  scratch: ScratchStore | undefined,
  mayCreate: boolean,
): Promise<void> {
  if (scratch === undefined || mayCreate) return;
  const isAbsent = await attempt(() => scratch.isAbsent()).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    throw new ProbeOptionError(
      `The scratch store "${scratch.externalId}" is not a store with this external ID: the service shows another one`,
    );
  });
  if (isAbsent !== true) return;
  throw new ProbeOptionError(
    `The scratch store "${scratch.externalId}" does not exist: expected one that does, or createScratchStore, ` +
      "after which it stays, because the API cannot delete a store",
  );
}

/**
 * Checks with few requests that a service is available, accepts the credentials, and is the expected API.
 *
 * @throws {ProbeServiceError} if a check fails
 */
async function checkStore(service: Service): Promise<void> {
  const page = await first(service, STORES);
  if (page.status === 503) throw serviceError(service, "has no API token configured");
  if (page.status === 401) throw serviceError(service, "rejected the token");
  const isList = isOk(page) && Array.isArray(bodyOf(page).items) && rowsOf(page).every(isStore);
  if (!isList) throw serviceError(service, "did not respond to GET /v1/stores like the store API");
}

function isStore(row: object): boolean {
  return "externalId" in row && "storeId" in row;
}

/** Does the same for the fleet API. A key may lack the scope of some lists. */
async function checkFleet(service: Service): Promise<void> {
  for (const path of LISTS) {
    const page = await first(service, path);
    if (page.status === 401) throw serviceError(service, "rejected the key");
    if (page.status === 403 && page.isEvidence) continue;
    const { data, meta } = bodyOf(page);
    if (isOk(page) && Array.isArray(data) && isObject(objectOf(meta))) return;
    // gap fleet.undocumented-responses
    if (isOk(page) && !DESCRIBED.includes(path) && rowsOf(page).every(({ id }) => typeof id === "string"))
      return;
    throw serviceError(service, `did not respond to GET ${path} like the fleet API`);
  }
  throw serviceError(service, "did not let the key read any of its lists");
}

/** Sends the first request of a service, and again if the response is unexpected: it may come from a proxy. */
async function first(service: Service, path: string, mayRepeat = true): Promise<Exchange> {
  try {
    return await service.get(path, largestPage(path));
  } catch (error) {
    if (error instanceof NoEvidence && mayRepeat && isRetryable(service)) return first(service, path, false);
    if (error instanceof NoEvidence) throw serviceError(service, reasonOf(service, path, error));
    if (error instanceof RunEnded) throw serviceError(service, "did not respond");
    throw error;
  }
}

function isRetryable({ last }: Service): boolean {
  return last !== undefined && last.status !== 401 && last.status !== 503;
}

/** The reason that the first response is not evidence. */
function reasonOf(service: Service, path: string, error: Error): string {
  const { last } = service;
  if (last === undefined)
    return `could not be reached${error instanceof NoResponse ? `: ${error.reason}` : ""}`;
  if (last.status === 503) return "is not available (status 503)";
  if (last.status === 401) return "rejected the credentials";
  return `did not respond to GET ${path} like the ${service.target.api} API (status ${last.status})`;
}

function serviceError({ target }: Service, what: string): ProbeServiceError {
  return new ProbeServiceError(`The ${target.as} service at ${target.base} ${what}`);
}
