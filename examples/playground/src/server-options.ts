import type { Scope } from "shelfleet";
import type { ExportedState, MockReadings, RateLimits, ReferenceServerOptions } from "shelfleet/mock";

/** The range that the seed fills: 28 days before the server's clock. */
export const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-29T00:00:00Z" };

export const KEY = `ref_${"5f".repeat(32)}`;

/** The size of the data that a new server generates. */
export const seeds = { seed: 8, store: { stores: 24, protocolsPerStore: 28 }, fleet: { vehicles: 36 } };

export type ChosenReadings = Partial<MockReadings>;

/** Whether the fleet API accepts the key. */
export type KeyState = "valid" | "revoked" | "expired";

/** The settings of the server that can be changed on the page. */
export interface ServerChoices {
  readings: ChosenReadings;
  /** The rate limits; null if there are no limits. */
  limits: RateLimits | null;
  scopes: readonly Scope[];
  keyState: KeyState;
  /** The loaded state; undefined for seed data. */
  state: ExportedState | undefined;
}

/** The options of the reference server in the page. */
export function serverOptions(choices: ServerChoices): ReferenceServerOptions {
  const { readings, limits, scopes, keyState, state } = choices;
  const keys = [{ key: KEY, scopes: [...scopes], ...keyOptions(keyState) }];
  return {
    seed: seeds.seed,
    ...(state === undefined ? { now: range.to } : { state }),
    store: { token: "playground-token", ...(state === undefined && seeds.store) },
    fleet: { keys, ...(state === undefined && seeds.fleet) },
    readings,
    ...(limits !== null && { limits }),
  };
}

/** The options of a key in this state. */
export function keyOptions(state: KeyState): { revoked?: true; expiresAt?: string } {
  if (state === "revoked") return { revoked: true };
  return state === "expired" ? { expiresAt: range.from } : {};
}
