import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { storeOperations } from "../../../generated/store.operations.ts";

interface Route {
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
}

interface Listed {
  readonly method: string;
  readonly path: string;
}

function routesOf(operations: Readonly<Record<string, Listed>>): Route[] {
  return Object.entries(operations).map(([id, { method, path }]) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  }));
}

const routes = { store: routesOf(storeOperations), fleet: routesOf(fleetOperations) };

/** Returns the operation of a path below the base URL, with its path parameters. */
export function findRoute(
  api: "store" | "fleet",
  method: string,
  path: string,
): { operation: string | undefined; params: Record<string, string> } {
  for (const { id, method: own, pattern } of routes[api]) {
    const match = own === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(
      ([name, value]) => [name, decodeSegment(value)] as const,
    );
    return { operation: id, params: Object.fromEntries(params) };
  }
  return { operation: undefined, params: {} };
}

function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
