import { fleetOperations } from "../../generated/fleet.operations.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import { Routes } from "../wire/routes.ts";

/** One of the two APIs. */
export type Api = "store" | "fleet";

/** The operations of each API by their paths below the base URL. */
export const routes: Readonly<Record<Api, Routes>> = {
  store: new Routes(storeOperations),
  fleet: new Routes(fleetOperations),
};

/** Returns the operation of a percent-encoded path below the base URL, with its decoded path parameters. */
export function findRoute(
  api: Api,
  method: string,
  path: string,
): { operation: string | undefined; params: Record<string, string> } {
  const match = routes[api].match(path);
  const operation = match?.operations.get(method);
  return { operation, params: operation === undefined ? {} : (match?.params ?? {}) };
}
