/** Keys and scopes of the fleet model (contract section 5). */
import type { KeyRecord } from "./fleet-state.ts";
import type { ScopeSets } from "./fleet-world.ts";
import type { FleetReadings } from "./readings.ts";

const resources = [
  "vehicles",
  "vehicle-fields",
  "vehicle-groups",
  "inspections",
  "inspection-templates",
  "damages",
  "driver-assignments",
];

/** The scopes of the table. Vehicle fields have no write scope. */
export const tableScopes: readonly string[] = resources.flatMap((resource) =>
  resource === "vehicle-fields" ? [`${resource}:read`] : [`${resource}:read`, `${resource}:write`],
);

const reviewedScopes: ReadonlySet<string> = new Set(["users:read", "analytics:read"]);

/** Whether a key with these scopes can be made. */
export function canCarry(scopes: readonly string[], readings: FleetReadings): boolean {
  return scopes.every((scope) => {
    if (tableScopes.includes(scope)) return true;
    if (reviewedScopes.has(scope)) return readings["keys.review-scopes"] === "granted";
    return readings["keys.unknown-scopes"] === "ignored";
  });
}

/** The scope sets of an operation on which the text and the table disagree. */
export function disputed(
  reading: "either" | "table" | "prose" | "both",
  table: string,
  prose: string,
): ScopeSets {
  const sets = { either: [[table], [prose]], table: [[table]], prose: [[prose]], both: [[table, prose]] };
  return sets[reading];
}

function hasScope(key: KeyRecord, scope: string, readings: FleetReadings): boolean {
  if (key.scopes.includes(scope)) return true;
  if (readings["scopes.implications"] === "none" || !scope.endsWith(":read")) return false;
  return key.scopes.includes(scope.replace(":read", ":write"));
}

export function opens(key: KeyRecord, sets: ScopeSets, readings: FleetReadings): boolean {
  return sets.some((set) => set.every((scope) => hasScope(key, scope, readings)));
}

export type Environment = "production" | "sandbox";

export interface KeyForm {
  readonly prefix: string;
  readonly environment: Environment;
}

/** A key of the right form for an environment. */
export function keyText({ prefix, environment }: KeyForm, hex: string): string {
  return `${prefix}${environment === "sandbox" ? "_test" : ""}_${hex}`;
}

/** The key of an `authorization` header; undefined where its scheme, form or environment is wrong. */
export function findKey(
  header: string | undefined,
  keys: readonly KeyRecord[],
  form: KeyForm,
  readings: FleetReadings,
): KeyRecord | undefined {
  const [scheme = "", text = ""] = (header ?? "").split(" ", 2);
  const start = keyText(form, "");
  const hex = text.slice(start.length);
  const digits = readings["keys.hex-case"] === "any" ? /^[\da-fA-F]{64}$/ : /^[\da-f]{64}$/;
  if (scheme.toLowerCase() !== "bearer" || !text.startsWith(start) || !digits.test(hex)) return undefined;
  return keys.find(({ key }) => key === text);
}
