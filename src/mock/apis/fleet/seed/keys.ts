import { parseInstant } from "../../../../wire/instants.ts";
import type { Scope } from "../../../../../generated/fleet.ts";
import { scopes } from "../../../../../generated/fleet.operations.ts";
import type { FleetKeySeed } from "../options.ts";
import { checkNames, describeValue } from "../../../testing/checks.ts";
import { Random } from "../../../../wire/random.ts";
import type { MockReadings } from "../../../server/readings.ts";
import { type FleetKey, describeKeyForm, keyForm } from "../keys.ts";

const UNDER_REVIEW: ReadonlySet<string> = new Set(["users:read", "analytics:read"]);

/** A production key and a sandbox key, each with every scope. */
function defaultKeys(seed: number): FleetKey[] {
  return [
    { key: `ref_${hex(new Random(seed, "key", "production"))}`, scopes },
    { key: `ref_test_${hex(new Random(seed, "key", "sandbox"))}`, scopes },
  ];
}

function validateKeys(seeds: readonly FleetKeySeed[], readings: MockReadings): FleetKey[] {
  const seen = new Set<string>();
  return seeds.map((seed, index) => {
    const name = `fleet.keys[${index}]`;
    const key = validateKey(seed, name, readings);
    if (seen.has(key.key)) throw new Error(`${name}.key: the same key was given twice`);
    seen.add(key.key);
    return key;
  });
}

/** Validates and copies a key; an invalid key is not quoted. */
export function validateKey(seed: FleetKeySeed, name: string, readings: MockReadings): FleetKey {
  if (typeof seed.key !== "string" || keyForm(seed.key, readings) === undefined) {
    throw new Error(`${name}.key must have the form ${describeKeyForm(readings)}`);
  }
  checkNames(name, seed, ["key", "environment", "scopes", "expiresAt", "revoked"]);
  if (!Array.isArray(seed.scopes)) throw new Error(`${name}.scopes must be an array of scopes`);
  for (const scope of seed.scopes) checkScope(scope, name, readings);
  if (seed.expiresAt !== undefined && Number.isNaN(parseInstant(seed.expiresAt))) {
    throw new Error(`${name}.expiresAt must be an ISO 8601 date-time, not ${describeValue(seed.expiresAt)}`);
  }
  return { ...seed, scopes: [...seed.scopes] };
}

/** Returns the given keys, or the default ones. */
export function initialKeys(
  seed: number,
  given: readonly FleetKeySeed[] | undefined,
  readings: MockReadings,
): FleetKey[] {
  return given === undefined ? defaultKeys(seed) : validateKeys(given, readings);
}

/** Undoes every change of scopes, expiry and revocation, and removes added keys. */
export function restoreKeys(keys: Map<string, FleetKey>, initial: readonly FleetKey[]): void {
  for (const text of keys.keys()) if (!initial.some(({ key }) => key === text)) keys.delete(text);
  for (const before of initial) {
    const key = keys.get(before.key);
    if (key === undefined) continue;
    delete key.expiresAt;
    delete key.revoked;
    Object.assign(key, before);
  }
}

/** gaps keys.review-scopes, keys.unknown-scopes */
function checkScope(scope: Scope, name: string, readings: MockReadings): void {
  if (scopes.includes(scope)) return;
  const reviewed = UNDER_REVIEW.has(scope);
  if (reviewed && readings["keys.review-scopes"] === "granted") return;
  if (!reviewed && readings["keys.unknown-scopes"] === "ignored") return;
  throw new Error(`${name}.scopes: unknown scope "${scope}". Expected one of ${scopes.join(", ")}`);
}

function hex(random: Random): string {
  return Array.from({ length: 8 }, () => random.bits().toString(16).padStart(8, "0")).join("");
}
