import type { JsonObject } from "../../internal/json.ts";
import type { Issue } from "../errors/issue.ts";
import type { CallOptions, Limits } from "../options/options.ts";
import { serializeBody } from "./body.ts";
import { buildRequest } from "./build.ts";
import { checkExactness } from "./exactness.ts";
import { requestEvent } from "./events.ts";
import { notify } from "./hooks.ts";
import { invalidRequest, redactError } from "./redact-error.ts";
import type { AnyInput, Input, Operation, Result, RetryClass } from "./operation.ts";
import {
  describeResponse,
  nothing,
  readResponse,
  type ResponseContent,
  schemaMismatch,
  unwrap,
  type WithResponse,
} from "./response.ts";
import type { BufferedResponse, RequestSpec, Run, SendConfig } from "./run.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { send } from "./send.ts";

/** The configuration that all calls of one API share. */
export interface ApiConfig extends SendConfig {
  /** The generated operation table. */
  operations: Readonly<Record<string, Operation>>;
  limits: Limits;
  /** Whether a request with this body may be sent again. */
  retryClassOf: (operation: Pick<Operation, "retry" | "retryGaps">, input: AnyInput) => RetryClass;
  validate: "envelope" | "full";
  loadSchemas: () => Promise<SchemaCheck>;
}

/** The result of one request. The request is sent at once, and only once, however often the result is awaited. */
export interface Call<T> extends Promise<T> {
  /** Returns the data and the HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The head and the `meta` of a response, kept for `withResponse`. */
interface Meta {
  content?: ResponseContent;
  meta?: JsonObject;
}

/** Calls the operations of one API: builds and validates a request, sends it, and reads the response. */
export class Api<Operations> {
  readonly config: ApiConfig;
  #calls = 0;
  #schemas: Promise<SchemaCheck> | undefined;

  constructor(config: ApiConfig) {
    this.config = config;
  }

  /** Calls an operation. Sends nothing if the request violates the contract. */
  call<Id extends keyof Operations & string, T = Result<Operations[Id]>>(
    id: Id,
    input: Input<Operations[Id], T>,
    options?: CallOptions,
  ): Call<T> {
    const responseMeta: Meta = {};
    const data = this.#run<T>(id, input, options, responseMeta);
    const withResponse = async (): Promise<WithResponse<T>> => {
      const value = await data;
      return describeResponse(value, responseMeta.content as ResponseContent, responseMeta.meta); // the head is stored before the promise resolves
    };
    return Object.assign(data, { withResponse });
  }

  /** Returns the label for messages, e.g. `GET /v1/stores`. */
  labelOf(id: string): string {
    const { method, path } = this.config.operations[id] as Operation; // the IDs come from the same table
    return `${method} ${path}`;
  }

  /** Redacts secrets in a text. */
  redact(text: string): string {
    return this.config.secret.redactor.redact(text);
  }

  /** Fetches one page of a list. `cancel` ends the request without an error event. */
  async page(
    id: string,
    input: Pick<AnyInput, "path" | "query">,
    options: CallOptions | undefined,
    cancel?: AbortSignal,
  ): Promise<ResponseContent> {
    const { operations, secret } = this.config;
    const issues: Issue[] = [];
    const spec = this.#build(operations[id] as Operation, input, options, issues);
    if (issues.length > 0) throw invalidRequest(spec.label, issues, secret.redactor);
    const signals = cancel === undefined ? spec.signals : [...spec.signals, cancel];
    return this.execute({ ...spec, signals, cancel }, (buffered, run) => this.#read(buffered, run));
  }

  /** Sends a request and reads its response. Reports failures to the hook `onError`. */
  async execute<T>(
    spec: RequestSpec,
    read: (buffered: BufferedResponse, run: Run) => T | Promise<T>,
  ): Promise<T> {
    const { config } = this;
    const { totalTimeout } = spec.limits;
    const end = totalTimeout === Infinity ? Infinity : config.runtime.performance.now() + totalTimeout;
    this.#calls += 1;
    const call = this.#calls;
    const run: Run = {
      spec,
      call,
      end,
      url: spec.path,
      secrets: new Set(),
      attempts: 0,
      tries: 0,
      mayHaveExecuted: false,
    };
    try {
      return await read(await send(config, run), run);
    } catch (error) {
      const isCancelled = spec.cancel?.aborted === true;
      if (run.attempts > 0 && !isCancelled && config.hooks.onError !== undefined)
        notify(config.hooks, "onError", { ...requestEvent(config, run), error });
      throw error;
    } finally {
      for (const used of run.secrets) config.secret.redactor.release(used);
    }
  }

  #build(
    operation: Operation,
    input: AnyInput,
    options: CallOptions | undefined,
    issues: Issue[],
  ): RequestSpec {
    const { limits, secret } = this.config;
    try {
      return buildRequest(operation, input, options, limits, issues);
    } catch (error) {
      throw redactError(error, secret.redactor);
    }
  }

  async #run<T>(
    id: string,
    input: AnyInput,
    options: CallOptions | undefined,
    responseMeta: Meta,
  ): Promise<T> {
    const { operations, secret } = this.config;
    const operation = operations[id] as Operation; // the IDs come from the same table
    const issues: Issue[] = [];
    const spec = this.#build(operation, input, options, issues);
    const ready = "body" in input ? await this.#withBody(spec, operation, input, issues) : spec;
    if (issues.length > 0) throw invalidRequest(spec.label, issues, secret.redactor);
    return this.execute<T>(ready, async (buffered, run) => {
      const content = await this.#read(buffered, run);
      const { data, meta } = unwrap(content, operation.response);
      Object.assign(responseMeta, { content, meta });
      const { transform } = input;
      return (transform === undefined ? data : await transform(data as never, content)) as T;
    });
  }

  async #withBody(
    spec: RequestSpec,
    operation: Operation,
    input: AnyInput,
    issues: Issue[],
  ): Promise<RequestSpec> {
    const retryClass = this.config.retryClassOf(operation, input);
    const body = await serializeBody(operation.body, input, this.#schemas ?? this.#loadSchemas(), issues);
    return { ...spec, body, headers: { "content-type": "application/json", ...spec.headers }, retryClass };
  }

  /** Loads the generated schemas, once for all calls. */
  #loadSchemas(): Promise<SchemaCheck> {
    const schemas = this.config.loadSchemas();
    this.#schemas = schemas;
    schemas.catch(() => {
      this.#schemas = undefined; // after a failed import, the next call tries again
    });
    return schemas;
  }

  #read(buffered: BufferedResponse, run: Run): ResponseContent | Promise<ResponseContent> {
    const { adapter, secret, validate } = this.config;
    const content = readResponse(run, buffered, adapter, secret.redactor);
    return validate === "full" ? this.#validate(content, run.spec.operation) : content;
  }

  async #validate(
    content: ResponseContent,
    { responseSchema }: RequestSpec["operation"],
  ): Promise<ResponseContent> {
    checkExactness(content);
    if (responseSchema === undefined || content.json === nothing) return content;
    const check = await (this.#schemas ?? this.#loadSchemas());
    const issues = check(responseSchema, content.json);
    if (issues.length > 0) throw schemaMismatch(content, issues);
    return content;
  }
}
