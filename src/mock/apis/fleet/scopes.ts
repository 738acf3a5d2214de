import type { Scope } from "../../../../generated/fleet.ts";
import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { MockReadings } from "../../server/readings.ts";

/** The scopes that an operation requires: all of them, or one of them. */
export interface Requirement {
  readonly rule: "all" | "any";
  readonly scopes: readonly Scope[];
}

interface ScopeEntry {
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly Scope[];
  readonly prose: readonly Scope[];
  readonly gap?: "scopes.get-damage" | "scopes.list-templates" | "scopes.field-vehicles";
}

/** Returns the requirement of an operation under the readings in force. */
export function requirementOf(operation: FleetOperationId, readings: MockReadings): Requirement {
  const entry: ScopeEntry = fleetOperations[operation].scopes;
  const everything = [...entry.table, ...entry.prose];
  if (entry.gap === "scopes.field-vehicles") {
    // gap scopes.field-vehicles: the extra scopes are those of the field list
    return readings[entry.gap] === "table"
      ? { rule: "all", scopes: entry.table }
      : requirementOf("listVehicleFields", readings);
  }
  if (entry.gap === undefined) return { rule: entry.rule === "any" ? "any" : "all", scopes: everything };
  switch (readings[entry.gap]) {
    case "either":
      return { rule: "any", scopes: everything };
    case "both":
      return { rule: "all", scopes: everything };
    case "table":
      return { rule: "all", scopes: entry.table };
    case "prose":
      return { rule: "all", scopes: entry.prose };
  }
}

/** Whether the scopes of a key satisfy a requirement. gap scopes.implications */
export function suffices(
  { rule, scopes }: Requirement,
  granted: readonly Scope[],
  readings: MockReadings,
): boolean {
  const implied = readings["scopes.implications"] === "write-implies-read";
  const holds = (scope: Scope): boolean =>
    granted.includes(scope) ||
    (implied && granted.some((scopeOfKey) => scopeOfKey === scope.replace(/:read$/, ":write")));
  return rule === "any" ? scopes.some(holds) : scopes.every(holds);
}
