import { Routes } from "../../wire/routes.ts";
import type { ControlRequest, ControlRoutes } from "./route.ts";
import { behaviorRoutes, credentialRoutes } from "./routes/server.ts";
import { dataRoutes } from "./routes/data.ts";
import { journalRoutes } from "./routes/journal.ts";
import { overrideRoutes } from "./routes/overrides.ts";

const all: ControlRoutes = {
  ...dataRoutes,
  ...journalRoutes,
  ...overrideRoutes,
  ...behaviorRoutes,
  ...credentialRoutes,
};

/** The query parameters of the routes that take some. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "GET /state": ["full"],
  "GET /journal": ["operation", "status", "last"],
};

/** One operation of the control API. */
export interface ControlRoute {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly run: (request: ControlRequest) => unknown;
}

/** The operations of the control API, by method and path. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = Object.fromEntries(
  Object.entries(all).map(([id, run]) => {
    const [method = "", path = ""] = id.split(" ");
    return [id, { method, path, query: QUERIES[id] ?? [], run }];
  }),
);

/** Finds the routes of a path below `/__ref`. */
export const routesOfPath = new Routes(controlRoutes);

/** The paths, in the order of the routes. */
export const controlPaths: readonly string[] = [
  ...new Set(Object.values(controlRoutes).map(({ path }) => path)),
];
