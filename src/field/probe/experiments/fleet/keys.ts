import type { Scope } from "../../../../../generated/fleet.ts";
import { pathSegment } from "../../../../wire/path-segment.ts";
import { scopes as known } from "../../../../../generated/fleet.operations.ts";
import { FLEET_PATHS, largestPage } from "../../../routes.ts";
import { succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { type Definition, type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type OpenGap, readingsOf } from "../../gap.ts";
import { objectOf, objectsIn, stringsIn } from "../../json.ts";
import { type ExperimentTools, fleetOf, hintOf } from "../../experiment-tools.ts";
import type { Service } from "../../service.ts";
import { FIELDS, TEMPLATES, fieldVehicles, firstIdIn, listOf, readableList } from "./data.ts";
import { fewestValuesFirst } from "./details.ts";

/** Returns the scopes of the key that a 403 lists; `undefined` if it lists no scopes. */
function scopesIn(exchange: Exchange): string[] | undefined {
  const { details } = objectOf(objectsIn(bodyOf(exchange).errors)[0]);
  const { required, available } = objectOf(details);
  return Array.isArray(required) && Array.isArray(available) ? stringsIn(available) : undefined;
}

function isForbidden({ api, status }: Exchange): boolean {
  return api === "fleet" && status === 403;
}

/** Operations that need one scope, which no gap concerns. The first ones need scopes that few keys have. */
const READS = [
  ["driver-assignments:read", FLEET_PATHS.driverAssignments],
  ["vehicle-groups:read", FLEET_PATHS.vehicleGroups],
  ["inspections:read", FLEET_PATHS.inspections],
  ["damages:read", FLEET_PATHS.damages],
  ["vehicles:read", FLEET_PATHS.vehicles],
] as const satisfies readonly (readonly [Scope, string])[];

function writeScopeOf(scope: string): string {
  return scope.replace(/:read$/, ":write");
}

/** Sends GETs until a 403. */
async function refusalOf(service: Service): Promise<Exchange | undefined> {
  for (const [, path] of READS) {
    const exchange = await service.get(path, { limit: "1" });
    if (isForbidden(exchange)) return exchange;
  }
  return undefined;
}

export const forbiddenDetails = experiment({
  gap: "errors.forbidden-details",
  cost: 1,
  needs: "two requests that a key may not send",
  assumes: "Two refusals show the form of all.",
  everyEntity: true,
  mayVary: true,
  examine: (exchange) => {
    if (!isForbidden(exchange)) return undefined;
    const observed = scopesIn(exchange) !== undefined;
    const reason = `A 403 ${observed ? "lists" : "does not list"} the scopes.`;
    return { subject: `${exchange.as} ${exchange.path}`, observed, reason };
  },
  observe: async function* observe(tools) {
    for (const service of tools.narrow) {
      await refusalOf(service);
      yield undefined;
    }
  },
  readings: { always: true, absent: false },
});

/** A key with few scopes, and its scopes if a 403 lists them. */
interface NarrowKey {
  readonly service: Service;
  readonly available: readonly string[] | undefined;
}

async function* narrowKeys(tools: ExperimentTools): AsyncGenerator<NarrowKey, void> {
  for (const service of tools.narrow) {
    const isUnlisted = hintOf(tools, "errors.forbidden-details") === "absent";
    const refusal = isUnlisted ? undefined : await refusalOf(service);
    yield { service, available: refusal && scopesIn(refusal) };
  }
}

/** Whether a key has a scope, as far as a 403 or an earlier GET shows it. */
function knownScope({ service, available }: NarrowKey, scope: string): boolean | undefined {
  if (available?.includes(scope) === true) return true;
  if (available?.includes(writeScopeOf(scope)) === false) return false;
  const path = READS.find(([one]) => one === scope)?.[1];
  const exchange = path === undefined ? undefined : service.known(path, { limit: "1" });
  return exchange && isOk(exchange);
}

/** Returns the keys in the order in which they are likely to have one of two scopes: a key often has only one scope. */
async function likelyKeys(tools: ExperimentTools, ...scopes: readonly string[]): Promise<NarrowKey[]> {
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
async function hasScope(key: NarrowKey, scope: string): Promise<boolean | undefined> {
  const shown = knownScope(key, scope);
  const path = READS.find(([one]) => one === scope)?.[1];
  if (shown !== undefined || path === undefined) return shown;
  // a write scope may include its read scope, which only the GET itself shows
  return isOk(await key.service.get(path, { limit: "1" }));
}

/** Sends a GET with a narrow key, and with the main key if that is refused; `undefined` if the response does not depend on scopes. */
async function enter(tools: ExperimentTools, service: Service, path: string) {
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

/** A key, whether it has the scope of the table and the one of the prose, and whether it could call the operation. */
interface Opened {
  readonly table: boolean | undefined;
  readonly prose: boolean | undefined;
  readonly isOpen: boolean;
}

/** Returns the possible values of a fact that may not be known. */
function valuesOf(value: boolean | undefined): boolean[] {
  return value === undefined ? [true, false] : [value];
}

/** Whether a rule agrees with the observation, for some value of the unknown facts. */
function agreesWith(rule: (table: boolean, prose: boolean) => boolean): (observed: Opened) => boolean {
  return ({ table, prose, isOpen }) =>
    valuesOf(table).some((one) => valuesOf(prose).some((other) => rule(one, other) === isOpen));
}

/** Which of two scopes opens an operation. */
const RULES = {
  either: agreesWith((table, prose) => table || prose),
  "extra-scopes": agreesWith((table, prose) => table || prose),
  table: agreesWith((table) => table),
  prose: agreesWith((_, prose) => prose),
  both: agreesWith((table, prose) => table && prose),
};

type Rule = (observed: Opened) => boolean;

type Held = Omit<Opened, "isOpen">;

/** Whether a possible response excludes some of the readings, but not all. */
function isInformative(rules: readonly Rule[], has: Held): boolean {
  const counts = [true, false].map((isOpen) => rules.filter((agrees) => agrees({ ...has, isOpen })).length);
  return counts.some((count) => count > 0 && count < rules.length);
}

/** Whether a response could do so if the unknown facts were known. */
function canInform(rules: readonly Rule[], has: Held): boolean {
  return valuesOf(has.table).some((table) =>
    valuesOf(has.prose).some((prose) => isInformative(rules, { table, prose })),
  );
}

/** Whether each response excludes a reading, if the key lacks the scopes that are not known. */
function isDecisive(rules: readonly Rule[], { table = false, prose = false }: Held): boolean {
  return [true, false].every((isOpen) => rules.some((agrees) => !agrees({ table, prose, isOpen })));
}

/**
 * Yields the keys whose responses could exclude one of the remaining readings; the first one is decisive, if there is
 * one.
 */
async function* keysWith(
  tools: ExperimentTools,
  remaining: () => readonly Rule[],
  table: string,
  prose: string,
) {
  const others: { key: NarrowKey; has: Held }[] = [];
  let isOneDecisive = false;
  for (const key of await likelyKeys(tools, table, prose)) {
    const shown = { table: knownScope(key, table), prose: knownScope(key, prose) };
    if (!canInform(remaining(), shown)) continue;
    const has = { table: await hasScope(key, table), prose: await hasScope(key, prose) };
    others.unshift({ key, has });
    isOneDecisive ||= isDecisive(remaining(), has);
    if (!isOneDecisive) continue;
    for (const one of others.splice(0)) if (isInformative(remaining(), one.has)) yield one;
  }
  for (const one of others) if (isInformative(remaining(), one.has)) yield one;
}

function nameOf(has: boolean | undefined): string {
  return has === undefined ? "perhaps" : has ? "with" : "without";
}

/** Creates the experiment of an operation for which the table and the prose name different scopes. */
function disputedScope<Gap extends "scopes.list-templates" | "scopes.get-damage" | "scopes.field-vehicles">(
  gap: Gap,
  cost: number,
  needs: string,
  pathFor: (tools: ExperimentTools) => Promise<string>,
  table: string,
  prose: string,
  after: readonly OpenGap[] = [],
) {
  return experiment<Gap, Opened>({
    gap,
    cost,
    after,
    needs,
    assumes: "The scopes that a 403 lists are those of the key.",
    observe: async function* observe(tools) {
      const path = await pathFor(tools);
      const rules = readingsOf(gap).map((reading) => RULES[reading as keyof typeof RULES]); // the same names
      let remaining = rules;
      for await (const { key, has } of keysWith(tools, () => remaining, table, prose)) {
        const entered = await enter(tools, key.service, path);
        if (entered === undefined) continue;
        const { isOpen } = entered;
        const left = remaining.filter((agrees) => agrees({ ...has, isOpen }));
        // one reading, or a contradiction, is confirmed by every key
        remaining = left.length > 1 ? left : rules;
        const name = `${nameOf(has.table)} ${table} and ${nameOf(has.prose)} ${prose}`;
        yield entered.observe(key.service.target.as, { ...has, isOpen }, name);
      }
      throw new Missing(`a key with only ${table} and one with only ${prose}`);
    },
    readings: RULES as Definition<Gap, Opened>["readings"], // has the readings of each of these gaps
  });
}

/** Its requests show the scopes of the keys, or which lists they may read. */
const SCOPES_KNOWN = ["scopes.field-vehicles"] as const;

export const listTemplatesScope = disputedScope(
  "scopes.list-templates",
  1.5,
  "a key with only inspection-templates:read and one with only inspections:read",
  async () => TEMPLATES,
  "inspection-templates:read",
  "inspections:read",
  SCOPES_KNOWN,
);

export const getDamageScope = disputedScope(
  "scopes.get-damage",
  1.5,
  "a damage, a key with only damages:read and one with only vehicles:read",
  async (tools) => {
    // fleet.absent-properties also reads it
    const [id] = fewestValuesFirst(rowsOf(await listOf(tools, FLEET_PATHS.damages)));
    if (id === undefined) throw new Missing("a damage");
    return `${FLEET_PATHS.damages}/${pathSegment(id)}`;
  },
  "damages:read",
  "vehicles:read",
  SCOPES_KNOWN,
);

export const fieldVehiclesScope = disputedScope(
  "scopes.field-vehicles",
  3,
  "a vehicle field and a key with vehicles:read, but without vehicle-fields:read",
  async (tools) => fieldVehicles(await firstIdIn(tools, FIELDS, "a vehicle field")),
  "vehicle-fields:read",
  "vehicles:read",
);

export const scopeImplications = experiment({
  gap: "scopes.implications",
  // the scopes of the keys are known then
  cost: 0.6,
  chance: 0.4,
  after: ["scopes.get-damage", "scopes.field-vehicles"],
  needs: "a key with a write scope, but without the read scope of its resource",
  assumes: "A write scope of one resource is like that of another one.",
  observe: async function* observe(tools) {
    for await (const { service, available = [] } of narrowKeys(tools)) {
      const isKnown = ([, path]: (typeof READS)[number]): boolean =>
        fleetOf(tools).known(path, largestPage(path)) !== undefined;
      for (const [scope, path] of READS.toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))) {
        const write = writeScopeOf(scope);
        if (available.includes(scope) || !available.includes(write)) continue;
        const entered = await enter(tools, service, path);
        if (entered === undefined) continue;
        const subject = `${service.target.as} ${scope}`;
        yield entered.observe(subject, entered.isOpen, `with ${write} and without ${scope}`);
      }
    }
  },
  readings: { none: false, "write-implies-read": true },
});

const REVIEWED: readonly string[] = ["users:read", "analytics:read"];
const PLANNED: readonly string[] = ["reports:read", "webhooks:manage"];
const NAMED: ReadonlySet<string> = new Set([...known, ...REVIEWED, ...PLANNED]);

function findListed(exchange: Exchange, isWanted: (scope: string) => boolean) {
  const scope = isForbidden(exchange) ? scopesIn(exchange)?.find(isWanted) : undefined;
  if (scope === undefined) return undefined;
  return { subject: exchange.as, observed: true, reason: `A 403 lists the scope ${scope} of the key.` };
}

export const reviewScopes = experiment({
  gap: "keys.review-scopes",
  cost: 1,
  needs: "a key with a scope that is under review",
  assumes: "The scopes that a 403 lists are those of the key.",
  examine: (exchange) => findListed(exchange, (scope) => REVIEWED.includes(scope)),
  readings: { refused: false, granted: true },
});

export const unknownScopes = experiment({
  gap: "keys.unknown-scopes",
  cost: 1,
  needs: "a key with a scope that the contract does not name",
  assumes: "The scopes that a 403 lists are those of the key.",
  examine: (exchange) => findListed(exchange, (scope) => !NAMED.has(scope)),
  readings: { refused: false, ignored: true },
});

export const hexCase = experiment({
  gap: "keys.hex-case",
  cost: 1,
  needs: "a key with capital letters among its digits",
  assumes: "The service compares the whole key.",
  observe: async function* observe(tools) {
    if (!/[A-F]/.test(fleetOf(tools).target.secret.slice(-64))) return;
    const path = await readableList(tools);
    const exchange = await tools.ask(fleetOf(tools), path, largestPage(path));
    const reason = "A key with capital letters was accepted.";
    yield observation(exchange.path, true, reason, [succeeds(exchange)]);
  },
  readings: { any: true, "lower-only": false },
});
