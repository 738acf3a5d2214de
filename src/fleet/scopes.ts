import { scopes as known } from "../../generated/fleet.enums.ts";
import { type FleetOperationId, fleetOperations } from "../../generated/fleet.operations.ts";
import type { Scope } from "../../generated/fleet.ts";
import { ConfigurationError } from "../core/errors/errors.ts";

/** A gap of the contract that decides about scopes; see `shelfleet/gaps`. */
export type ScopeGap = "scopes.list-templates" | "scopes.get-damage" | "scopes.field-vehicles";

/** What the contract says about the scopes of an operation. */
export interface ScopeEntry {
  /** All of the scopes are needed, any of them suffices, or the table and the text disagree. */
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly Scope[];
  readonly prose: readonly Scope[];
  /** What is left open about it. */
  readonly gap?: ScopeGap;
}

/** Which scopes open an operation. Contract: fleet 5, Scopes. */
export interface ScopeNeed {
  /** Each of these lists is enough, whatever the contract means. */
  surely: readonly (readonly Scope[])[];
  /**
   * Each of these scopes is enough under some reading of the contract, and not under others. A write scope may include
   * the read scope of its resource (gap `scopes.implications`).
   */
  perhaps: readonly Scope[];
  entry: ScopeEntry;
}

/** What a key can do, by operation. */
export interface ScopeCheck {
  /** Surely open to the key. */
  allowed: FleetOperationId[];
  /** Open under some reading of the contract: only the server can tell. */
  disputed: FleetOperationId[];
  /** Surely closed to the key. */
  forbidden: FleetOperationId[];
}

/** What the contract says about scopes; asks no server. */
export class Scopes {
  /**
   * Gives the scopes that open an operation.
   * @throws {ConfigurationError} where no operation has this id
   */
  for(operation: FleetOperationId): ScopeNeed {
    return needOf(operation);
  }

  /** Sorts the operations by what a key with these scopes can do. Scopes beyond the contract's open nothing. */
  check(scopes: readonly (Scope | (string & {}))[]): ScopeCheck {
    const sorted: ScopeCheck = { allowed: [], disputed: [], forbidden: [] };
    for (const operation of Object.keys(fleetOperations) as FleetOperationId[]) {
      const { surely, perhaps } = needOf(operation);
      const sure = surely.some((all) => all.every((scope) => scopes.includes(scope)));
      const possible = perhaps.some((scope) => scopes.includes(scope));
      sorted[sure ? "allowed" : possible ? "disputed" : "forbidden"].push(operation);
    }
    return sorted;
  }
}

/** What an operation needs, under every reading of every gap. */
export function needOf(operation: FleetOperationId): ScopeNeed {
  if (!Object.hasOwn(fleetOperations, operation)) {
    throw new ConfigurationError(`scopes: there is no operation ${JSON.stringify(operation)}`);
  }
  const entry: ScopeEntry = fleetOperations[operation].scopes;
  const { rule, table, prose, gap } = entry;
  const named = [...table, ...prose];
  const surely = rule === "any" ? named.map((scope) => [scope]) : [named];
  const possible = [...(rule === "disputed" ? named : []), ...extraScopes(gap)];
  const implied = [...named, ...possible].flatMap(writeScope);
  const enough = new Set(surely.filter((all) => all.length === 1).flat());
  const perhaps = [...new Set([...possible, ...implied])].filter((scope) => !enough.has(scope));
  return { surely, perhaps, entry };
}

/** The scopes that may open the vehicles of a field, as they open the fields. */
function extraScopes(gap: ScopeGap | undefined): readonly Scope[] {
  return gap === "scopes.field-vehicles" ? fleetOperations.listVehicleFields.scopes.prose : [];
}

/** The write scope that may include a read scope (gap scopes.implications). */
function writeScope(scope: Scope): Scope[] {
  const write = scope.replace(/:read$/, ":write");
  return known.filter((one) => one === write);
}
