import type { ReferenceServer } from "../reference-server.ts";
import type { ControlledServer } from "./controlled-server.ts";
import { type KeyInfo, keysOf } from "./key-info.ts";

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
