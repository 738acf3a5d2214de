import { keyForm } from "../apis/fleet/keys.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { ControlledServer } from "./controlled-server.ts";

/** A key of the fleet API with the environment that it belongs to. */
export interface KeyInfo {
  key: string;
  environment: "production" | "sandbox" | undefined;
  scopes: readonly string[];
}

/** The URLs and credentials that a caller needs to use a server. */
export interface StartupInfo {
  storeUrl: string;
  fleetUrl: string;
  sandboxUrl: string;
  controlUrl?: string;
  controlToken?: string;
  token: string;
  keys: KeyInfo[];
}

/** Returns addresses, token and keys. */
export function startupInfo(ref: ReferenceServer, served: ControlledServer): StartupInfo {
  const { storeUrl, fleetUrl, sandboxUrl, controlUrl, controlToken } = served;
  return {
    storeUrl,
    fleetUrl,
    sandboxUrl,
    ...(controlUrl !== undefined && { controlUrl }),
    ...(controlToken !== undefined && { controlToken }),
    token: ref.token,
    keys: keysOf(ref),
  };
}

/** Returns the keys of a server or tenant. */
export function keysOf({ keys, readings }: ReferenceServer): KeyInfo[] {
  return keys.map(({ key, scopes }) => ({ key, environment: keyForm(key, readings), scopes }));
}
