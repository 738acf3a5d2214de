import type { Limiter } from "../../src/index.ts";
import type { Database } from "./database/connection.ts";
import type { Position } from "./database/positions.ts";
import type { Settings } from "./settings.ts";

/** Copies one list of the fleet API. */
export async function copyFleet(
  _db: Database,
  _position: Position,
  _settings: Settings,
  _options: { limiter: Limiter; signal: AbortSignal },
): Promise<void> {
  throw new Error("wait for mirror");
}
