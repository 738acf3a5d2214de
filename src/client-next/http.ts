import createClient, { type Client } from "openapi-fetch";
import { type JsonObject, objectOf } from "../wire/json.ts";
import type { Core } from "./core.ts";
import { type CallDetails, InvalidRequestError } from "./errors.ts";
import { type CallOptions, checkCallOptions, checkHeaders, resolveLimits } from "./options.ts";
import { decode, type Received } from "./read.ts";
import { findPathIssues, serializeBody, serializeQuery } from "./request-parts.ts";
import { type CallResult, send, type SentRequest } from "./send.ts";
import type { Shape } from "./shape.ts";

/** The typed methods of openapi-fetch. They send as the methods of the client do, and return the body as it was sent. */
export type Http<Paths extends object> = Pick<Client<Paths, "application/json">, "GET" | "PUT" | "POST" | "DELETE" | "PATCH">;

/** What the methods of the resources add to the options of openapi-fetch. */
export interface CallInit {
  readonly call?: {
    readonly options?: CallOptions | undefined;
    /** Parses the body before it is checked and sent. */
    readonly bodyShape?: Shape | undefined;
    /** Ends the call if its result is no longer needed. */
    readonly cancel?: AbortSignal | undefined;
  };
}

/** The options of a call of openapi-fetch, without their types. */
interface AnyInit extends CallInit {
  params?: { path?: object; query?: object; header?: object };
  body?: unknown;
  headers?: CallOptions["headers"];
  signal?: AbortSignal;
}

/** A request as openapi-fetch builds it: plain data, which can be sent again. */
class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
  readonly sent: SentRequest;

  constructor(url: string, { method, body, sent }: PlainRequest) {
    this.url = url;
    this.method = method;
    this.body = body;
    this.sent = sent;
  }
}

/** A response as openapi-fetch reads it. The body was read and parsed within the attempt. */
export class ReadResponse {
  readonly ok = true;
  readonly received: Received;
  /** The request, for an error about the response. */
  readonly details: CallDetails;
  readonly #json: JsonObject | undefined;

  constructor({ received, details, json }: CallResult) {
    this.received = received;
    this.details = details;
    this.#json = json;
  }

  get status(): number {
    return this.received.status;
  }

  get headers(): Headers {
    return this.received.headers;
  }

  get url(): string {
    return this.received.url;
  }

  async json(): Promise<JsonObject | undefined> {
    return this.#json;
  }

  /** Returns the JSON of the body; undefined if it is empty. */
  parsed(): JsonObject | undefined {
    return this.#json;
  }

  async text(): Promise<string> {
    return decode(this.received.bytes) ?? "";
  }
}

const methods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** Creates the typed client of an API: openapi-fetch builds each request, `send` sends it. */
export function createHttp<Paths extends object>(core: Core): Http<Paths> {
  const client = createClient<Paths, "application/json">({
    baseUrl: "",
    Request: PlainRequest as unknown as typeof Request, // openapi-fetch only constructs it
    async fetch(request) {
      const { sent, url, body } = request as unknown as PlainRequest;
      const result = await send(core, sent, url, body);
      return new ReadResponse(result) as unknown as Response; // the part that openapi-fetch and users read
    },
    bodySerializer: String, // the body was serialized to be checked
  });
  const request = client.request as (method: string, route: string, init: object) => Promise<unknown>;
  const entries = methods.map((method) => [
    method,
    async (route: string, init: AnyInit = {}) => request(method, route, await prepare(core, method, route, init)),
  ]);
  return Object.fromEntries(entries) as Http<Paths>; // its five methods
}

/** Checks a request against the contract and serializes it. Rejects, before anything is sent, with every issue. */
async function prepare(core: Core, method: string, route: string, init: AnyInit): Promise<object> {
  const operation = core.operations.get(`${method} ${route}`);
  const { params = {}, call = {} } = init;
  const { options = {}, cancel } = call;
  if (call.options !== undefined) checkCallOptions(call.options);
  const path = objectOf(params.path);
  const issues = findPathIssues(route, path, operation);
  let query = "";
  if (params.query !== undefined) query = await serializeQuery(core, operation, objectOf(params.query), issues);
  const hasBody = operation?.body !== undefined || init.body !== undefined;
  const body = hasBody ? await serializeBody(core, operation, init.body, call.bodyShape, issues) : undefined;
  if (issues.length > 0) throw new InvalidRequestError(`${method} ${route}`, issues);
  const header = checkHeaders({ ...(params.header as Record<string, string>), ...checkHeaders(init.headers ?? options.headers) });
  const signals = [options.signal ?? init.signal, cancel].filter((signal) => signal !== undefined);
  const sent: SentRequest = {
    operation,
    method,
    route,
    path,
    headers: body === undefined ? header : { "content-type": "application/json", ...header },
    limits: call.options === undefined ? core.limits : resolveLimits(options, core.limits),
    mayRepeat: operation === undefined ? method === "GET" : core.mayRepeat(operation, path, init.body),
    signals,
  };
  // the body was parsed within the attempt; openapi-fetch would parse it again for `json`
  return { params: { path }, querySerializer: () => query, body, sent, parseAs: "parsed" };
}

/** Returns the options of a call in the form that the methods of `Http` take. */
export function callInit(options: CallOptions | undefined, bodyShape?: Shape): CallInit {
  return { call: { options, bodyShape } };
}
