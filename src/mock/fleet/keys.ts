import type { Scope } from "../../../generated/fleet.ts";
import {
  type FleetOperationId,
  fleetOperations,
  scopes as everyScope,
} from "../../../generated/fleet.operations.ts";
import * as z from "zod/mini";
import { parseKey } from "../../wire/fleet-key.ts";
import { Random } from "../server/random.ts";
import { instantSchema } from "../server/clock.ts";
import type { Is } from "../server/readings.ts";
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

/** Returns the environment of a string that has the form of a key. gap keys.hex-case */
export function environmentOf(key: string, is: Is): "production" | "sandbox" | undefined {
  const { environment, digits = "" } = parseKey(key) ?? {};
  return is("keys.hex-case", "lower-only") && /[A-F]/.test(digits) ? undefined : environment;
}

/** Returns the form of a key, for messages. gap keys.hex-case */
export function describeKeyForm(is: Is): string {
  const digits = is("keys.hex-case", "lower-only") ? "lower-case hexadecimal" : "hexadecimal";
  return `<prefix>_ or <prefix>_test_ followed by 64 ${digits} digits`;
}

const UNDER_REVIEW: readonly string[] = ["users:read", "analytics:read"];

/** Validates and copies a key; an invalid key is not quoted. gaps keys.review-scopes, keys.unknown-scopes */
export function parseFleetKey(given: unknown, place: string, is: Is): FleetKey {
  const known: readonly string[] = is("keys.review-scopes", "granted")
    ? [...everyScope, ...UNDER_REVIEW]
    : everyScope;
  const isKnown = (scope: string) =>
    known.includes(scope) || (is("keys.unknown-scopes", "ignored") && !UNDER_REVIEW.includes(scope));
  const message = `must be one of ${everyScope.join(", ")}`;
  const schema = z.strictObject({
    key: z
      .string()
      .check(
        z.refine((key) => environmentOf(key, is) !== undefined, `must have the form ${describeKeyForm(is)}`),
      ),
    scopes: z.optional(z.array(z.string().check(z.refine(isKnown, message)))),
    expiresAt: z.optional(instantSchema),
    revoked: z.optional(z.boolean()),
  });
  const { key, scopes = [...everyScope], expiresAt, revoked } = parse(schema, given, place);
  return {
    key,
    scopes: scopes as Scope[], // as was checked
    ...(expiresAt !== undefined && { expiresAt }),
    ...(revoked !== undefined && { revoked }),
  };
}

/** Returns the given keys, or a production key and a sandbox key with every scope. */
export function initialKeys(seed: number, given: unknown, is: Is): FleetKey[] {
  if (given === undefined)
    return [
      { key: `ref_${hex(new Random(seed, "key", "production"))}`, scopes: everyScope },
      { key: `ref_test_${hex(new Random(seed, "key", "sandbox"))}`, scopes: everyScope },
    ];
  const keys = parse(z.array(z.unknown()), given, "fleet.keys").map((key, index) =>
    parseFleetKey(key, `fleet.keys[${index}]`, is),
  );
  const repeated = keys.findIndex(({ key }, index) =>
    keys.some((other, at) => at < index && other.key === key),
  );
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

/** gaps scopes.get-damage, scopes.list-templates, scopes.field-vehicles */
export function requirementOf(operation: FleetOperationId, is: Is): Requirement {
  const {
    rule,
    table,
    prose,
    gap,
  }: {
    readonly rule: "all" | "any" | "disputed";
    readonly table: readonly Scope[];
    readonly prose: readonly Scope[];
    readonly gap?: "scopes.get-damage" | "scopes.list-templates" | "scopes.field-vehicles";
  } = fleetOperations[operation].scopes;
  const everything = [...table, ...prose];
  if (gap === undefined) return { rule: rule === "any" ? "any" : "all", scopes: everything };
  if (gap === "scopes.field-vehicles")
    // the extra scopes are those of the field list
    return is(gap, "table") ? { rule: "all", scopes: table } : requirementOf("listVehicleFields", is);
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
