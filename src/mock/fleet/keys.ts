import * as z from "zod/mini";
import {
  type FleetOperationId,
  fleetOperations,
  scopes as everyScope,
} from "../../../generated/fleet.operations.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { parseKey } from "../../wire/secret.ts";
import { omitUndefined } from "../../wire/names.ts";
import { instantSchema } from "../server/clock.ts";
import { Random } from "../server/random.ts";
import type { Is } from "../server/options.ts";
import { parse } from "../server/schemas.ts";

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

/** The form of a key, for messages. gap keys.hex-case */
export const KEY_FORM = "<prefix>_ or <prefix>_test_ followed by 64 hexadecimal digits";

/** Returns the environment of a string that has the form of a key. */
export function environmentOf(key: string): "production" | "sandbox" | undefined {
  return parseKey(key)?.environment;
}

const keySchema = z.strictObject({
  key: z
    .string()
    .check(z.refine((key) => environmentOf(key) !== undefined, `must have the form ${KEY_FORM}`)),
  scopes: z.optional(
    z.array(z.enum(everyScope, { error: `must be one of ${everyScope.join(", ")}` })), // gap keys.unknown-scopes
  ),
  expiresAt: z.optional(instantSchema),
  revoked: z.optional(z.boolean()),
});

/** Validates and copies a key; an invalid key is not quoted. */
export function parseFleetKey(given: unknown, place: string): FleetKey {
  const { key, scopes = everyScope, expiresAt, revoked } = parse(keySchema, given, place);
  return { key, scopes: [...scopes], ...omitUndefined({ expiresAt, revoked }) };
}

/** Returns the given keys, or a production key and a sandbox key with every scope. */
export function initialKeys(seed: number, given: unknown): FleetKey[] {
  if (given === undefined)
    return [
      { key: `ref_${hex(new Random(seed, "key", "production"))}`, scopes: everyScope },
      { key: `ref_test_${hex(new Random(seed, "key", "sandbox"))}`, scopes: everyScope },
    ];
  const keys = parse(z.array(z.unknown()), given, "fleet.keys").map((key, index) =>
    parseFleetKey(key, `fleet.keys[${index}]`),
  );
  const repeated = keys.findIndex(({ key }, index) => keys.findIndex((other) => other.key === key) < index);
  if (repeated !== -1) throw new Error(`fleet.keys[${repeated}].key: the same key was given twice`);
  return keys;
}

function hex(random: Random): string {
  return Array.from({ length: 8 }, () => random.bits().toString(16).padStart(8, "0")).join("");
}

/** The scopes that an operation requires: all of them, or one of them. */
export interface Requirement {
  readonly rule: "all" | "any";
  readonly scopes: readonly Scope[];
}

/** A row of the contract's table, and what its prose says. */
interface ScopeRow {
  readonly rule: "all" | "any" | "disputed";
  readonly table: readonly Scope[];
  readonly prose: readonly Scope[];
  readonly gap?: "scopes.get-damage" | "scopes.list-templates" | "scopes.field-vehicles";
}

/** gaps scopes.get-damage, scopes.list-templates */
export function requirementOf(operation: FleetOperationId, is: Is): Requirement {
  const { rule, table, prose, gap }: ScopeRow = fleetOperations[operation].scopes;
  const everything = [...table, ...prose];
  if (gap === "scopes.field-vehicles") return { rule: "all", scopes: table };
  if (gap === undefined) return { rule: rule === "any" ? "any" : "all", scopes: everything };
  if (is(gap, "table")) return { rule: "all", scopes: table };
  if (is(gap, "prose")) return { rule: "all", scopes: prose };
  return { rule: is(gap, "either") ? "any" : "all", scopes: everything };
}

/** Whether the scopes of a key satisfy a requirement. gap scopes.implications */
export function suffices({ rule, scopes }: Requirement, granted: readonly Scope[], is: Is): boolean {
  const implied = is("scopes.implications", "write-implies-read");
  const holds = (scope: Scope): boolean =>
    granted.includes(scope) || (implied && granted.some((own) => own === scope.replace(/:read$/, ":write")));
  return rule === "any" ? scopes.some(holds) : scopes.every(holds);
}
