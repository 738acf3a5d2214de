import { keyForm } from "../apis/fleet/keys.ts";
import type { ReferenceServer } from "../reference-server.ts";

/** A key of the fleet API with the environment that it belongs to. */
export interface KeyInfo {
  key: string;
  environment: "production" | "sandbox" | undefined;
  scopes: readonly string[];
}

/** Returns the keys of a server or tenant. */
export function keysOf({ keys, readings }: ReferenceServer): KeyInfo[] {
  return keys.map(({ key, scopes }) => ({ key, environment: keyForm(key, readings), scopes }));
}
