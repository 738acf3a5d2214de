import { ApiError } from "../../src/core/errors/errors.ts";
import { Http } from "../../src/core/request/api.ts";
import { type CallOptions, type Hooks, resolveLimits } from "../../src/core/options/options.ts";
import { Secret } from "../../src/core/request/secret.ts";
import { Transport } from "../../src/core/request/send.ts";

interface Written {
  requestBody: { content: { "application/json": { name?: string } } };
  responses: { 200: { content: { "application/json": { data: { id?: string }; meta: object } } } };
}

/** An API with a route for each method that the store API lacks. */
interface SmallPaths {
  "/things": { get: Written; post: Written };
  "/things/{id}": {
    patch: Written & { parameters: { path: { id: string } } };
    delete: Written & { parameters: { path: { id: string } } };
  };
}

/** The core without either API: enveloped answers, no checks of bodies. */
export function smallHttp(baseUrl: string, options: CallOptions & { hooks?: Hooks } = {}): Http<SmallPaths> {
  return new Http<SmallPaths>({
    transport: new Transport({
      secret: new Secret("small-secret-token", () => {}),
      baseUrl: () => baseUrl,
      fetch: undefined,
      headers: {},
      hooks: options.hooks ?? {},
      isPermanent: () => false,
    }),
    limits: resolveLimits({ timeout: 200, retry: { limit: 1, maxDelay: 2 }, ...options }),
    dialect: {
      open: (json) => ("data" in json ? { data: json.data, meta: {} } : "without `data`"),
      error: (operation, details) => new ApiError(`${operation} failed`, details),
      documented: new Set([404]),
    },
    operations: {
      listThings: { method: "GET", path: "/things" },
      createThing: { method: "POST", path: "/things" },
      updateThing: { method: "PATCH", path: "/things/{id}" },
      deleteThing: { method: "DELETE", path: "/things/{id}" },
    },
    validate: "envelope",
    loadSchemas: async () => () => [],
  });
}
