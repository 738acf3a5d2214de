import { ApiError } from "../../../../src/client/core/errors/response-errors.ts";
import type { Limiter } from "../../../../src/client/core/options/limiter.ts";
import type { Limits, Runtime } from "../../../../src/client/core/options/options.ts";
import type { Hooks } from "../../../../src/client/core/options/hooks.ts";
import { resolveLimits } from "../../../../src/client/core/options/options.ts";
import { Api } from "../../../../src/client/core/request/api.ts";
import { Drain } from "../../../../src/client/core/request/drain.ts";
import type { Operation } from "../../../../src/client/core/request/operation.ts";
import type { BufferedResponse, RequestSpec, Run } from "../../../../src/client/core/request/run.ts";
import type { SchemaCheck } from "../../../../src/client/core/request/schema-check.ts";
import { Secret, type SecretSource } from "../../../../src/client/core/request/secret.ts";
import { type Fetch, fetchTransport } from "../../../../src/client/core/transport/fetch.ts";

interface Written {
  requestBody: { content: { "application/json": { name?: string } } };
  responses: { 200: { content: { "application/json": { data: { id?: string }; meta: object } } } };
}

/** An API with a route for each method that the store API lacks. */
interface SmallOperations {
  listThings: Written;
  createThing: Written;
  updateThing: Written & { parameters: { path: { id: string } } };
  deleteThing: Written & { parameters: { path: { id: string } } };
}

const operations: Readonly<Record<keyof SmallOperations, Operation>> = {
  listThings: { id: "listThings", method: "GET", path: "/things", response: "data", retry: "idempotent" },
  createThing: {
    id: "createThing",
    method: "POST",
    path: "/things",
    body: "zCreateThingBody",
    response: "data",
    retry: "only-if-rejected",
  },
  updateThing: {
    id: "updateThing",
    method: "PATCH",
    path: "/things/{id}",
    body: "zUpdateThingBody",
    response: "data",
    retry: "only-if-rejected",
  },
  deleteThing: {
    id: "deleteThing",
    method: "DELETE",
    path: "/things/{id}",
    response: "deleted",
    retry: "idempotent",
  },
};

export interface Setting {
  baseUrl?: string;
  fetch?: Fetch | undefined;
  secret?: SecretSource;
  limits?: Partial<Limits>;
  headers?: Record<string, string>;
  hooks?: Hooks;
  limiter?: Limiter;
  runtime?: Partial<Runtime>;
  isPermanent?: (status: number) => boolean;
  loadSchemas?: () => Promise<SchemaCheck>;
}

/** The core without either API: enveloped responses, no schemas of bodies. */
export function smallApi(setting: Setting = {}): Api<SmallOperations> {
  return new Api<SmallOperations>({
    transport: fetchTransport(setting.fetch),
    secret: new Secret(setting.secret ?? "small-secret-token", () => {}),
    destination: { baseUrl: setting.baseUrl ?? "https://x.example" },
    headers: setting.headers ?? {},
    hooks: setting.hooks ?? {},
    limiter: setting.limiter,
    shared: {
      slots: undefined,
      limiter: { acquire: () => {} },
      drain: new Drain(),
      accepted: 0,
    },
    adapter: {
      error: async (operation, details) => new ApiError(`${operation} failed`, details),
      isPermanent: ({ status }) => setting.isPermanent?.(status) ?? false,
    },
    operations,
    limits: { ...resolveLimits({ timeout: 1000, retry: { limit: 1, maxDelay: 2 } }), ...setting.limits },
    retryClassOf: ({ retry }) => retry,
    validate: "envelope",
    loadSchemas: setting.loadSchemas ?? (async () => () => []),
    runtime: { ...platform, ...setting.runtime },
  });
}

const platform: Runtime = { setTimeout, clearTimeout, performance, Date, Math };

/** The outcome of a request: the response, its text, and the facts about the run. */
export interface SendResult {
  status: number;
  text: string;
  url: string;
  attempts: number;
  mayHaveExecuted: boolean;
}

/** Sends a GET of `/things/1`, whatever is set. */
export function send(setting: Setting, more: Partial<RequestSpec> = {}): Promise<SendResult> {
  const api = smallApi(setting);
  const spec: RequestSpec = {
    operation: { id: "getThing", response: "data" },
    label: `${more.method ?? "GET"} /things/{id}`,
    method: "GET",
    route: "/things/{id}",
    path: "/things/1",
    body: undefined,
    headers: undefined,
    retryClass: "idempotent",
    limits: api.config.limits,
    errorBytes: 1024,
    signals: [],
    ...more,
  };
  return api.execute(spec, describe);
}

function describe({ status, bytes }: BufferedResponse, { url, attempts, mayHaveExecuted }: Run): SendResult {
  return { status, text: new TextDecoder().decode(bytes), url, attempts, mayHaveExecuted };
}
