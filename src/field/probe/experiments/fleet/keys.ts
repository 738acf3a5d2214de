import { pathSegment } from "../../../../wire/path-segment.ts";
import { scopes as known } from "../../../../../generated/fleet.operations.ts";
import { isShown, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { objectOf, objectsIn, stringsIn } from "../../json.ts";
import { type ExperimentTools, fleetOf, hintOf } from "../../experiment-tools.ts";
import type { Service } from "../../service.ts";
import { idsIn, listOf, readableList } from "./data.ts";
import { fieldVehicles } from "./lists.ts";

/** Returns the scopes that a 403 names; `undefined` if it names no scopes. */
function detailsOf(exchange: Exchange): { required: string[]; available: string[] } | undefined {
  const { details } = objectOf(objectsIn(bodyOf(exchange).errors)[0]);
  const { required, available } = objectOf(details);
  if (!Array.isArray(required) || !Array.isArray(available)) return undefined;
  return { required: stringsIn(required), available: stringsIn(available) };
}

function isForbidden({ api, status }: Exchange): boolean {
  return api === "fleet" && status === 403;
}

export const forbiddenDetails = experiment({
  gap: "errors.forbidden-details",
  cost: 1,
  needs: "two requests that a key may not send",
  assumes: "Two refusals show the form of all.",
  everyEntity: true,
  examine: (exchange) => {
    if (!isForbidden(exchange)) return undefined;
    const hasDetails = detailsOf(exchange) !== undefined;
    const reason = `A 403 ${hasDetails ? "lists" : "does not list"} the scopes.`;
    return observation(`${exchange.as} ${exchange.path}`, hasDetails, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    for (const service of tools.narrow) {
      for (const path of READS.map(([, one]) => one)) {
        if (isForbidden(await service.get(path, { limit: "1" }))) break;
      }
      yield undefined;
    }
    throw new Missing("two keys that lack a scope");
  },
  readings: { always: (hasDetails) => hasDetails, absent: (hasDetails) => !hasDetails },
});

/** Operations that need one scope, which no gap concerns. The first ones need scopes that few keys have. */
const READS = [
  ["driver-assignments:read", "/driver-assignments"],
  ["vehicle-groups:read", "/vehicle-groups"],
  ["inspections:read", "/inspections"],
  ["damages:read", "/damages"],
  ["vehicles:read", "/vehicles"],
] as const;

/** The known scopes of a key. */
class Access {
  readonly #service: Service;
  #available: readonly string[] | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Sends GETs until a 403 lists the scopes of the key. */
  async readScopes(tools: ExperimentTools): Promise<void> {
    if (hintOf(tools, "errors.forbidden-details") === "absent") return;
    for (const [, path] of READS) {
      const exchange = await this.#service.get(path, { limit: "1" });
      if (!isForbidden(exchange)) continue;
      this.#available = detailsOf(exchange)?.available;
      return;
    }
  }

  /** The scopes of the key, according to the service. */
  get available(): readonly string[] | undefined {
    return this.#available;
  }

  /** Whether an earlier GET showed that the key has, or lacks, a scope. */
  knows(scope: string): boolean | undefined {
    if (this.#available !== undefined) return this.#available.includes(scope);
    const path = READS.find(([one]) => one === scope)?.[1];
    const exchange = path === undefined ? undefined : this.#service.known(path, { limit: "1" });
    return exchange && isOk(exchange);
  }

  /** Whether the key is known to have one of the scopes that an earlier experiment found. */
  get isKnown(): boolean {
    return READS.some(([scope]) => this.knows(scope) === true);
  }

  /** Whether the key has a scope; `undefined` if that is not known. */
  async has(scope: string): Promise<boolean | undefined> {
    if (this.#available?.includes(scope) === true) return true;
    const write = scope.replace(/:read$/, ":write");
    if (this.#available?.includes(write) === false) return false;
    const path = READS.find(([one]) => one === scope)?.[1];
    // a write scope may include its read scope, which only the GET itself shows
    if (path !== undefined) return isOk(await this.#service.get(path, { limit: "1" }));
    return undefined;
  }
}

interface NarrowKey {
  readonly service: Service;
  readonly access: Access;
}

async function* narrowKeys(tools: ExperimentTools): AsyncGenerator<NarrowKey, void> {
  for (const service of tools.narrow) {
    const access = new Access(service);
    await access.readScopes(tools);
    yield { service, access };
  }
}

/** A key, whether it has each of two scopes, and whether it could call the operation. */
interface Opened {
  readonly first: boolean | undefined;
  readonly second: boolean | undefined;
  readonly isOpen: boolean;
}

/** Returns the possible values of a fact that may not be known. */
function valuesOf(value: boolean | undefined): boolean[] {
  return value === undefined ? [true, false] : [value];
}

/** Whether a rule agrees with the observation, for some value of the unknown facts. */
function agreesWith(rule: (first: boolean, second: boolean) => boolean): (observed: Opened) => boolean {
  return ({ first, second, isOpen }) =>
    valuesOf(first).some((one) => valuesOf(second).some((other) => rule(one, other) === isOpen));
}

type Rules = Readonly<Record<string, (observed: Opened) => boolean>>;

/** Whether a response could exclude a rule. */
function isInformative(rules: Rules, facts: Omit<Opened, "isOpen">): boolean {
  return [true, false].some((isOpen) => Object.values(rules).some((fits) => !fits({ ...facts, isOpen })));
}

const DISPUTED = {
  either: agreesWith((table, prose) => table || prose),
  table: agreesWith((table) => table),
  prose: agreesWith((_, prose) => prose),
  both: agreesWith((table, prose) => table && prose),
};

const FIELD_VEHICLES = {
  table: agreesWith((table) => table),
  "extra-scopes": agreesWith((table, extra) => table || extra),
};

function nameOf(has: boolean | undefined): string {
  return has === undefined ? "perhaps" : has ? "with" : "without";
}

async function* observeScopes(
  tools: ExperimentTools,
  rules: Rules,
  path: string,
  first: string,
  second: string,
): AsyncGenerator<ExperimentResult<Opened>, void> {
  const keys: NarrowKey[] = [];
  for await (const key of narrowKeys(tools)) keys.push(key);
  const rank = ({ access }: NarrowKey): number =>
    access.knows(first) === true || access.knows(second) === true ? 0 : access.isKnown ? 2 : 1;
  for (const { service, access } of keys.toSorted((a, b) => rank(a) - rank(b))) {
    const observed = { first: await access.has(first), second: await access.has(second) };
    if (observed.first === observed.second && observed.first !== undefined) continue;
    if (!isInformative(rules, observed)) continue;
    const query: Record<string, string> = path.endsWith("s") ? { limit: "100" } : {};
    const exchange = await tools.ask(service, path, query);
    const isOpen = isOk(exchange);
    if (!isOpen && !isForbidden(exchange)) continue;
    const main = isOpen ? exchange : await fleetOf(tools).get(path, query);
    const reason = `A key ${nameOf(observed.first)} ${first} and ${nameOf(observed.second)} ${second} was ${isOpen ? "let in" : "refused"}.`;
    yield observation(service.target.as, { ...observed, isOpen }, reason, [succeeds(main)], main, exchange);
  }
  throw new Missing(`a key with only ${first} and one with only ${second}`);
}

export const listTemplatesScope = experiment<"scopes.list-templates", Opened>({
  gap: "scopes.list-templates",
  cost: 5,
  chance: 0.6,
  needs: "a key with only inspection-templates:read and one with only inspections:read",
  assumes: "The scopes that a 403 lists are those of the key.",
  observe: (tools) =>
    observeScopes(tools, DISPUTED, "/inspection-templates", "inspection-templates:read", "inspections:read"),
  readings: DISPUTED,
});

export const getDamageScope = experiment<"scopes.get-damage", Opened>({
  gap: "scopes.get-damage",
  cost: 4,
  needs: "a damage, a key with only damages:read and one with only vehicles:read",
  assumes: "The scopes that a 403 lists are those of the key.",
  observe: async function* observe(tools) {
    const [id] = idsIn(rowsOf(await listOf(tools, "/damages")));
    if (id === undefined) throw new Missing("a damage");
    yield* observeScopes(tools, DISPUTED, `/damages/${pathSegment(id)}`, "damages:read", "vehicles:read");
  },
  readings: DISPUTED,
});

export const fieldVehiclesScope = experiment<"scopes.field-vehicles", Opened>({
  gap: "scopes.field-vehicles",
  cost: 3,
  chance: 0.9,
  needs: "a vehicle field and a key with vehicles:read, but without vehicle-fields:read",
  assumes: "The scopes that a 403 lists are those of the key.",
  observe: async function* observe(tools) {
    const [id] = idsIn(rowsOf(await listOf(tools, "/vehicle-fields")));
    if (id === undefined) throw new Missing("a vehicle field");
    yield* observeScopes(tools, FIELD_VEHICLES, fieldVehicles(id), "vehicle-fields:read", "vehicles:read");
  },
  readings: FIELD_VEHICLES,
});

export const scopeImplications = experiment({
  gap: "scopes.implications",
  cost: 2.3,
  chance: 0.4,
  needs: "a key with a write scope, but without the read scope of its resource",
  assumes: "A write scope of one resource is like that of another one.",
  observe: async function* observe(tools) {
    for await (const { service, access } of narrowKeys(tools)) {
      for (const [scope, path] of READS) {
        const write = scope.replace(/:read$/, ":write");
        const { available } = access;
        if (available === undefined || available.includes(scope) || !available.includes(write)) continue;
        const exchange = await tools.ask(service, path, { limit: "1" });
        if (!isOk(exchange) && !isForbidden(exchange)) continue;
        const main = await fleetOf(tools).get(path, { limit: "1" });
        const reason = `A key with ${write} and without ${scope} was ${isOk(exchange) ? "let in" : "refused"} at ${path}.`;
        yield observation(
          `${service.target.as} ${scope}`,
          isOk(exchange),
          reason,
          [succeeds(main)],
          main,
          exchange,
        );
      }
    }
    throw new Missing("a key with a write scope, but without the read scope of its resource");
  },
  readings: { none: (isOpen) => !isOpen, "write-implies-read": (isOpen) => isOpen },
});

const REVIEWED: readonly string[] = ["users:read", "analytics:read"];
const PLANNED: readonly string[] = ["reports:read", "webhooks:manage"];

function listedScope(exchange: Exchange, isWanted: (scope: string) => boolean) {
  const scope = isForbidden(exchange) ? detailsOf(exchange)?.available.find(isWanted) : undefined;
  return scope === undefined
    ? undefined
    : observation(
        exchange.as,
        true,
        `A 403 lists the scope ${scope} of the key.`,
        [isShown(exchange)],
        exchange,
      );
}

export const reviewScopes = experiment({
  gap: "keys.review-scopes",
  cost: 1,
  needs: "a key with a scope that is under review",
  assumes: "The scopes that a 403 lists are those of the key.",
  examine: (exchange) => listedScope(exchange, (scope) => REVIEWED.includes(scope)),
  readings: { refused: (isListed) => !isListed, granted: (isListed) => isListed },
});

export const unknownScopes = experiment({
  gap: "keys.unknown-scopes",
  cost: 1,
  needs: "a key with a scope that the contract does not name",
  assumes: "The scopes that a 403 lists are those of the key.",
  examine: (exchange) =>
    listedScope(exchange, (scope) => ![...known, ...REVIEWED, ...PLANNED].some((one) => one === scope)),
  readings: { refused: (isListed) => !isListed, ignored: (isListed) => isListed },
});

export const hexCase = experiment({
  gap: "keys.hex-case",
  cost: 1,
  needs: "a key with capital letters among its digits",
  assumes: "The service compares the whole key.",
  observe: async function* observe(tools) {
    const { target } = fleetOf(tools);
    if (!/[A-F]/.test(target.secret.slice(-64)))
      throw new Missing("a key with capital letters among its digits");
    const exchange = await tools.ask(fleetOf(tools), await readableList(tools), { limit: "100" });
    const reason = "A key with capital letters was accepted.";
    yield observation(exchange.path, true, reason, [succeeds(exchange)], exchange);
  },
  readings: { any: (isAccepted) => isAccepted, "lower-only": (isAccepted) => !isAccepted },
});
