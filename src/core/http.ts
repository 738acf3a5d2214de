import { type Content, type Dialect, type ListContent, passAnswer, readAnswer } from "./answer.ts";
import { writeBody } from "./body.ts";
import { type Aside, type Call, makeCall } from "./call.ts";
import { InvalidRequestError, UnexpectedResponseError } from "./errors.ts";
import { checkHeaders } from "./headers.ts";
import type { Answer, Input, Route } from "./http-types.ts";
import type { Issue } from "./issue.ts";
import { parseJson } from "./json.ts";
import { checkCallOptions } from "./option-checks.ts";
import { type CallOptions, type Limits, resolveLimits } from "./options.ts";
import type { RetryClass } from "./retry.ts";
import { buildQuery, type QueryRules } from "./rules.ts";
import { type AnswerContext, refuseAnswer, type Shape } from "./shape.ts";
import { snippet } from "./secret.ts";
import type { Answered, Outgoing, Transport } from "./transport.ts";
import { fillRoute, type RouteParts, routeParts } from "./url.ts";

/** Checks a value against a generated schema by its name; loaded on first use. */
export type SchemaCheck = (schema: string, value: unknown) => Issue[];

export interface HttpConfig {
  transport: Transport;
  limits: Limits;
  dialect: Dialect;
  /** The API's operations, to name them by route. */
  operations: Readonly<Record<string, { readonly method: string; readonly path: string }>>;
  /** Whether an operation may be sent twice, where its method alone does not say. */
  retryClassOf?: ((operation: string, body: unknown) => RetryClass | undefined) | undefined;
  validate: "envelope" | "full";
  loadSchemas: () => Promise<SchemaCheck>;
}

/** The same, with its types worn off. */
interface AnyInput {
  path?: unknown;
  uuids?: readonly PropertyKey[];
  query?: object | undefined;
  rules?: QueryRules;
  body?: unknown;
  bodyShape?: Shape | undefined;
  finish?: ((data: never, context: AnswerContext) => unknown) | undefined;
}

/** What is known of an operation. */
interface Known {
  operation: string;
  parts: RouteParts;
}

const noQuery: QueryRules = { rules: {} };
const idempotent = new Set(["GET", "PUT", "DELETE"]);

/** Typed access to the routes of one API: checks, sends, reads. */
export class Http<Paths> {
  readonly #config: HttpConfig;
  /** The operations by route, then by method. */
  readonly #routes = new Map<string, Record<string, Known>>();

  constructor(config: HttpConfig) {
    this.#config = config;
    for (const [operation, { method, path }] of Object.entries(config.operations)) {
      const known = { [method]: { operation, parts: routeParts(path) } };
      this.#routes.set(path, { ...this.#routes.get(path), ...known });
    }
  }

  get<R extends Route<Paths, "get">, T = Answer<Paths, R, "get">>(
    route: R,
    input: Input<Paths, R, "get", T>,
    options?: CallOptions,
  ): Call<T> {
    return makeCall((keep) => this.#call<T>("GET", route, input, options, keep));
  }

  put<R extends Route<Paths, "put">, T = Answer<Paths, R, "put">>(
    route: R,
    input: Input<Paths, R, "put", T>,
    options?: CallOptions,
  ): Call<T> {
    return makeCall((keep) => this.#call<T>("PUT", route, input, options, keep));
  }

  post<R extends Route<Paths, "post">, T = Answer<Paths, R, "post">>(
    route: R,
    input: Input<Paths, R, "post", T>,
    options?: CallOptions,
  ): Call<T> {
    return makeCall((keep) => this.#call<T>("POST", route, input, options, keep));
  }

  patch<R extends Route<Paths, "patch">, T = Answer<Paths, R, "patch">>(
    route: R,
    input: Input<Paths, R, "patch", T>,
    options?: CallOptions,
  ): Call<T> {
    return makeCall((keep) => this.#call<T>("PATCH", route, input, options, keep));
  }

  delete<R extends Route<Paths, "delete">, T = Answer<Paths, R, "delete">>(
    route: R,
    input: Input<Paths, R, "delete", T>,
    options?: CallOptions,
  ): Call<T | null> {
    return makeCall((keep) => this.#call<T | null>("DELETE", route, input, options, keep));
  }

  /** One page of a list: the whole envelope, for an iterator to read. */
  async page<R extends Route<Paths, "get">>(
    route: R,
    input: Omit<Input<Paths, R, "get", never>, "finish">,
    options: CallOptions | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<ListContent> {
    const out = await this.#prepare("GET", route, input, options, cancel);
    const content = await this.#config.transport.send(out, (answered) => this.#content(out, answered));
    return content as ListContent; // only a DELETE may be answered with nothing
  }

  /** Sends a request that somebody else has built, and hands on its answer. */
  async forward(request: Request, route: string, ids: object): Promise<Response> {
    const { method, signal } = request;
    const { operation, parts } = this.#known(method, route);
    const issues: Issue[] = [];
    const path = fillRoute(parts, ids as Record<string, unknown>, issues);
    if (issues.length > 0) throw new InvalidRequestError(`${method} ${route}`, issues);
    const text = await request.text();
    const out: Outgoing = {
      operation,
      method,
      route,
      path: path + new URL(request.url).search,
      body: text === "" ? undefined : text,
      headers: checkHeaders(Object.fromEntries(request.headers)),
      retryClass: this.#retryClass(method, operation, parseJson(text)),
      limits: this.#config.limits,
      signals: [signal],
    };
    return this.#config.transport.send(out, (answered) => passAnswer(out, answered, this.#config.dialect));
  }

  /** Throws at once what is found before anything could be waited for. */
  #call<T>(
    method: string,
    route: string,
    input: AnyInput,
    options: CallOptions | undefined,
    keep: (aside: Aside) => void,
  ): Promise<T> {
    const send = (out: Outgoing): Promise<T> =>
      this.#config.transport.send(out, (answered) => {
        const content = this.#content(out, answered);
        const open = (it: Content): T | Promise<T> => this.#open(out, input, it, keep);
        return content instanceof Promise ? content.then(open) : open(content);
      });
    const prepared = this.#prepare(method, route, input, options);
    return prepared instanceof Promise ? prepared.then(send) : send(prepared);
  }

  #open<T>(
    { method }: Outgoing,
    { finish }: AnyInput,
    content: Content,
    keep: (aside: Aside) => void,
  ): T | Promise<T> {
    const { json, response } = content;
    const opened = json === null ? { data: null } : this.#config.dialect.open(json, method);
    if (typeof opened === "string") throw lacking(content, opened);
    const { data, meta } = opened;
    keep(meta === undefined ? { response } : { response, meta });
    // what the types promise for this route, checked as far as `validate` says
    return (json === null || finish === undefined ? data : finish(data as never, content)) as T | Promise<T>;
  }

  /** An answer's JSON. No promise where there is nothing to wait for: each one costs a call about a microsecond. */
  #content(out: Outgoing, answered: Answered): Content | Promise<Content> {
    const content = readAnswer(out, answered, this.#config.dialect);
    return this.#config.validate === "full" ? this.#validated(out, content) : content;
  }

  async #validated(out: Outgoing, answer: Content | Promise<never>): Promise<Content> {
    const content = await answer;
    if (content.json === null) return content;
    const check = await this.#config.loadSchemas();
    const issues = check(`z${capitalised(out.operation)}Response`, content.json);
    if (issues.length > 0) throw refuseAnswer(content, issues, content.json);
    return content;
  }

  /** What is to be sent; a promise where there is a body, whose schema is loaded first. */
  #prepare(
    method: string,
    route: string,
    input: AnyInput,
    options: CallOptions | undefined,
    cancel?: AbortSignal,
  ): Outgoing | Promise<Outgoing> {
    if (options !== undefined) checkCallOptions(options);
    const { operation, parts } = this.#known(method, route);
    const issues: Issue[] = [];
    const path = fillRoute(parts, (input.path ?? {}) as Record<string, unknown>, issues, input.uuids);
    const query = buildQuery(input.query, input.rules ?? noQuery, issues);
    const finish = (body: string | undefined): Outgoing => {
      if (issues.length > 0) throw new InvalidRequestError(`${method} ${route}`, issues);
      return {
        operation,
        method,
        route,
        path: path + query,
        body,
        headers: requestHeaders(body, options),
        retryClass: this.#retryClass(method, operation, input.body),
        limits: resolveLimits(options, this.#config.limits),
        signals: [options?.signal, cancel].filter((signal) => signal !== undefined),
      };
    };
    if (!("body" in input)) return finish(undefined);
    const schema = `z${capitalised(operation)}Body`;
    return writeBody(schema, input, this.#config.loadSchemas, issues).then(finish);
  }

  #retryClass(method: string, operation: string, body: unknown): RetryClass {
    const byMethod = idempotent.has(method) ? "idempotent" : "refused-only";
    return this.#config.retryClassOf?.(operation, body) ?? byMethod;
  }

  #known(method: string, route: string): Known {
    return this.#routes.get(route)?.[method] ?? { operation: "", parts: routeParts(route) };
  }
}

function requestHeaders(
  body: string | undefined,
  options: CallOptions | undefined,
): Record<string, string> | undefined {
  const further = options?.headers === undefined ? undefined : checkHeaders(options.headers);
  return body === undefined ? further : { "content-type": "application/json", ...further };
}

function lacking({ doing, status, clean, text }: Content, what: string): UnexpectedResponseError {
  return new UnexpectedResponseError(`${doing}: ${status} ${what}`, {
    status,
    body: snippet(text, clean),
  });
}

function capitalised(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
