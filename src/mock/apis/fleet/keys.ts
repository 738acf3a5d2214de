import { parseKey } from "../../../wire/fleet-key.ts";
import type { Scope } from "../../../../generated/fleet.ts";
import type { Clock } from "../../server/clock.ts";
import { credentialFault } from "../../server/credential-fault.ts";
import type { MockReadings } from "../../server/readings.ts";
import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";

/**
 * A key of the fleet API; `<prefix>_test_` makes it a sandbox key. Changes of its scopes and expiry last until
 * `reset()`.
 */
export interface FleetKey {
  readonly key: string;
  scopes: readonly Scope[];
  /** ISO 8601; the key is rejected from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}

/** Returns the environment of a string that has the form of a key. gap keys.hex-case */
export function keyForm(key: string, readings: MockReadings): "production" | "sandbox" | undefined {
  const { environment, digits = "" } = parseKey(key) ?? {};
  return readings["keys.hex-case"] === "lower-only" && /[A-F]/.test(digits) ? undefined : environment;
}

/** Returns the form of a key, for messages. gap keys.hex-case */
export function describeKeyForm(readings: MockReadings): string {
  const digits = readings["keys.hex-case"] === "lower-only" ? "lower-case hexadecimal" : "hexadecimal";
  return `<prefix>_ or <prefix>_test_ followed by 64 ${digits} digits`;
}

/** Returns the message of a 401 for an invalid key. */
export function keyFault(
  secret: string | undefined,
  key: FleetKey | undefined,
  environment: "production" | "sandbox",
  { readings, clock }: { readings: MockReadings; clock: Clock },
): string | undefined {
  if (secret === undefined) return "The API key is missing: expected the header Authorization: Bearer <key>";
  const form = keyForm(secret, readings);
  if (form === undefined) return `The API key is invalid: expected ${describeKeyForm(readings)}`;
  if (form !== environment)
    return `The API key is invalid: it is a ${form} key, and this is the ${environment} environment`;
  return credentialFault("key", key, clock);
}

/** The scopes that an operation requires: all of them, or one of them. */
interface Requirement {
  readonly rule: "all" | "any";
  readonly scopes: readonly Scope[];
}

interface ScopeEntry {
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly Scope[];
  readonly prose: readonly Scope[];
  readonly gap?: "scopes.get-damage" | "scopes.list-templates" | "scopes.field-vehicles";
}

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
