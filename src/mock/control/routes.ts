import type { ControlRoute } from "./route.ts";
import { behaviorRoutes } from "./routes/behavior.ts";
import { credentialRoutes } from "./routes/credentials.ts";
import { dataRoutes } from "./routes/data.ts";
import { journalRoutes } from "./routes/journal.ts";
import { overrideRoutes } from "./routes/overrides.ts";
import { tenantRoutes } from "./routes/tenants.ts";

/** The operations of the control API. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: readonly ControlRoute[] = [
  ...dataRoutes,
  ...journalRoutes,
  ...overrideRoutes,
  ...behaviorRoutes,
  ...credentialRoutes,
  ...tenantRoutes,
];

/** The routes of a path, by method, and the values of its parameters. */
export interface RouteMatch {
  readonly routes: readonly ControlRoute[];
  readonly params: Readonly<Record<string, string>>;
}

const byPath = new Map<string, ControlRoute[]>();
for (const route of controlRoutes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);

/** The paths, in the order of the routes. */
export const controlPaths: readonly string[] = [...byPath.keys()];

/** Finds the routes of a path below `/__ref/`. */
export function findRoutes(path: string): RouteMatch | undefined {
  const own = byPath.get(path);
  if (own !== undefined && !path.includes("{")) return { routes: own, params: {} };
  const segments = path.split("/");
  for (const [template, routes] of byPath) {
    const params = paramsOf(template.split("/"), segments);
    if (params !== undefined) return { routes, params };
  }
  return undefined;
}

function paramsOf(
  template: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
    } else {
      const value = decodeSegment(segment);
      if (value === undefined || value === "") return undefined;
      params[part.slice(1, -1)] = value;
    }
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
