import type { Scope } from "../../../../../generated/fleet.ts";
import { FLEET_PATHS, largestPage } from "../../../routes.ts";
import { succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk } from "../../exchange.ts";
import { type ExperimentResult, observation } from "../../experiment.ts";
import { objectOf, objectsIn, stringsIn } from "../../../../wire/json.ts";
import { type ExperimentTools, fleetOf, hintOf } from "../../experiment-tools.ts";
import type { Service } from "../../service.ts";
import { TEMPLATES } from "./data.ts";

/** Returns the scopes of the key that a 403 lists; `undefined` if it lists no scopes. */
export function scopesIn(exchange: Exchange): string[] | undefined {
  const { details } = objectOf(objectsIn(bodyOf(exchange).errors)[0]);
  const { required, available } = objectOf(details);
  return Array.isArray(required) && Array.isArray(available) ? stringsIn(available) : undefined;
}

export function isForbidden({ api, status }: Exchange): boolean {
  return api === "fleet" && status === 403;
}

/** Operations that need one scope, which no gap concerns. The first ones need scopes that few keys have. */
export const READS = [
  ["driver-assignments:read", FLEET_PATHS.driverAssignments],
  ["vehicle-groups:read", FLEET_PATHS.vehicleGroups],
  ["inspections:read", FLEET_PATHS.inspections],
  ["damages:read", FLEET_PATHS.damages],
  ["vehicles:read", FLEET_PATHS.vehicles],
] as const satisfies readonly (readonly [Scope, string])[];

export function writeScopeOf(scope: string): string {
  return scope.replace(/:read$/, ":write");
}

/** Sends GETs until a 403. */
export async function refusalOf(service: Service): Promise<Exchange | undefined> {
  for (const [, path] of READS) {
    const exchange = await service.get(path, { limit: "1" });
    if (isForbidden(exchange)) return exchange;
  }
  return undefined;
}

/** A key with few scopes, and its scopes if a 403 lists them. */
export interface NarrowKey {
  readonly service: Service;
  readonly available: readonly string[] | undefined;
}

export async function* narrowKeys(tools: ExperimentTools): AsyncGenerator<NarrowKey, void> {
  for (const service of tools.narrow) {
    const isUnlisted = hintOf(tools, "errors.forbidden-details") === "absent";
    const refusal = isUnlisted ? undefined : await refusalOf(service);
    yield { service, available: refusal && scopesIn(refusal) };
  }
}

/** Whether a key has a scope, as far as a 403 or an earlier GET shows it. */
export function knownScope({ service, available }: NarrowKey, scope: string): boolean | undefined {
  if (available?.includes(scope) === true) return true;
  if (available?.includes(writeScopeOf(scope)) === false) return false;
  const path = READS.find(([one]) => one === scope)?.[1];
  const exchange = path === undefined ? undefined : service.known(path, { limit: "1" });
  return exchange && isOk(exchange);
}

/** Returns the keys in the order in which they are likely to have one of two scopes: a key often has only one scope. */
export async function likelyKeys(tools: ExperimentTools, ...scopes: readonly string[]): Promise<NarrowKey[]> {
  const keys: NarrowKey[] = [];
  for await (const key of narrowKeys(tools)) keys.push(key);
  const rankOf = (key: NarrowKey): number => {
    if (scopes.some((scope) => knownScope(key, scope))) return 0;
    const templates = key.service.known(TEMPLATES, largestPage(TEMPLATES));
    const hasOther = READS.some(([scope]) => knownScope(key, scope)) || (templates && isOk(templates));
    return hasOther === true ? 2 : 1;
  };
  return keys.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Whether a key has a scope; `undefined` if no list shows that. */
export async function hasScope(key: NarrowKey, scope: string): Promise<boolean | undefined> {
  const shown = knownScope(key, scope);
  const path = READS.find(([one]) => one === scope)?.[1];
  if (shown !== undefined || path === undefined) return shown;
  // a write scope may include its read scope, which only the GET itself shows
  return isOk(await key.service.get(path, { limit: "1" }));
}

/** Sends a GET with a narrow key, and with the main key if that is refused; `undefined` if the response does not depend on scopes. */
export async function enter(tools: ExperimentTools, service: Service, path: string) {
  const query: Record<string, string> = path.endsWith("s") ? largestPage(path) : {};
  const exchange = await tools.ask(service, path, query);
  const isOpen = isOk(exchange);
  if (!isOpen && !isForbidden(exchange)) return undefined;
  const main = isOpen ? exchange : await fleetOf(tools).get(path, query);
  const observe = <Observed>(
    subject: string,
    observed: Observed,
    key: string,
  ): ExperimentResult<Observed> => {
    const reason = `A key ${key} was ${isOpen ? "let in" : "refused"} at ${path}.`;
    return observation(subject, observed, reason, [succeeds(main)], main, exchange);
  };
  return { isOpen, observe };
}
