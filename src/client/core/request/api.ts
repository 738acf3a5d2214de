import type { JsonObject } from "../../../wire/json.ts";
import type { CallOptions, Limits } from "../options/options.ts";
import { serializeBody } from "./body.ts";
import { buildRequest, copyQuery } from "./build.ts";
import { DestinationLock } from "./destination.ts";
import { callEvent, requestEvent } from "./events.ts";
import { notify } from "./hooks.ts";
import { invalidRequest } from "./redact-error.ts";
import { loadOnce } from "../options/load-once.ts";
import type { AnyInput, Input, Operation, Result, RetryClass } from "./operation.ts";
import type { ResponseContent } from "./content.ts";
import { readResponse, rejectContent, unwrap } from "./response.ts";
import { describeResponse, type WithResponse } from "./with-response.ts";
import type { BufferedResponse, ReadConfig, RequestSpec, Run, SendConfig } from "./run.ts";
import { send } from "./send.ts";

// an `import()` takes 15 µs each time
const loadQuery = /* @__PURE__ */ loadOnce(() => import("./serialize-query.ts"));

/** The configuration that all calls of one API share. */
export interface ApiConfig extends SendConfig, ReadConfig {
  /** The generated operation table. */
  operations: Readonly<Record<string, Operation>>;
  limits: Limits;
  /** Whether a request with this body may be sent again. */
  retryClassOf: (operation: Pick<Operation, "retry" | "retryGaps">, input: AnyInput) => RetryClass;
}

/** The result of one request. The request is sent at once, and only once, however often the result is awaited. */
export interface Call<T> extends Promise<T> {
  /** Returns the data and the HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The data of a call and what `withResponse` returns besides them. */
interface CallResult<T> {
  data: T;
  content: ResponseContent;
  meta: JsonObject | undefined;
}

/** Calls the operations of one API: builds and validates a request, sends it, and reads the response. */
export class Api<Operations> {
  readonly config: ApiConfig;
  #calls = 0;

  constructor(config: ApiConfig) {
    this.config = { ...config, loadSchemas: loadOnce(config.loadSchemas) };
  }

  /** Calls an operation. Sends nothing if the request violates the contract. */
  call<Id extends keyof Operations & string, T = Result<Operations[Id]>>(
    id: Id,
    input: Input<Operations[Id], T>,
    options?: CallOptions,
  ): Call<T> {
    const { transform }: AnyInput = input;
    const read = (
      content: ResponseContent,
      { response }: Operation,
    ): CallResult<T> | Promise<CallResult<T>> => {
      const { data, meta, defect } = unwrap(content.json, response);
      if (defect !== undefined) return rejectContent(content, defect);
      // the contract's type, or what `transform` returns
      if (transform === undefined) return { data: data as T, content, meta };
      // the input's type pairs `transform` with the operation
      return Promise.resolve(transform(data as never, content)).then((value) => ({
        data: value as T,
        content,
        meta,
      }));
    };
    const result = this.#request(id, input, options, input, read);
    const data = result.then((found) => found.data);
    const withResponse = async (): Promise<WithResponse<T>> => {
      const value = await data;
      const { content, meta } = await result;
      return describeResponse(value, content, meta);
    };
    return Object.assign(data, { withResponse });
  }

  /** Fetches one page of a list. `cancel` ends the request without an error event. */
  page(
    id: string,
    input: Pick<AnyInput, "path" | "query">,
    options: CallOptions | undefined,
    destination: DestinationLock,
    cancel?: AbortSignal,
  ): Promise<ResponseContent> {
    return this.#request(id, input, options, { destination, cancel }, (content) => content);
  }

  /** Sends a request and reads its response. Reports failures to the hook `onError`. */
  async execute<T>(
    spec: RequestSpec,
    read: (buffered: BufferedResponse, run: Run) => T | Promise<T>,
  ): Promise<T> {
    const { hooks, runtime, shared } = this.config;
    const began = runtime.performance.now();
    this.#calls += 1;
    const run: Run = {
      spec,
      call: this.#calls,
      end: began + spec.limits.totalTimeout,
      destination: spec.destination ?? new DestinationLock(),
      url: spec.path,
      scope: {},
      attempts: 0,
      failures: 0,
      refusals: 0,
      refused: undefined,
      obstacle: undefined,
      retryable: false,
      waited: 0,
      mayHaveExecuted: false,
    };
    const end = (error?: unknown): void => {
      const duration = runtime.performance.now() - began;
      const { attempts } = run;
      notify(hooks, "onCallEnd", () => Object.assign(callEvent(run), { duration, attempts, error }));
    };
    // most clients have no hooks: their calls create no event
    if (hooks.onCall !== undefined) notify(hooks, "onCall", () => callEvent(run));
    try {
      shared.drain.enter();
      try {
        const result = await read(await send(this.config, run), run);
        if (hooks.onCallEnd !== undefined) end();
        return result;
      } finally {
        shared.drain.leave();
      }
    } catch (error) {
      if (run.attempts > 0 && spec.cancel?.aborted !== true)
        notify(hooks, "onError", () => Object.assign(requestEvent(this.config, run), { error }));
      end(error);
      throw error;
    }
  }

  /** Builds and validates a request, sends it and reads its response. Sends nothing if the request violates the contract. */
  async #request<T>(
    id: string,
    input: AnyInput,
    options: CallOptions | undefined,
    walk: Pick<RequestSpec, "destination" | "cancel">,
    read: (content: ResponseContent, operation: Operation) => T | Promise<T>,
  ): Promise<T> {
    const { config } = this;
    const operation = config.operations[id] as Operation; // the IDs come from the same table
    let { spec, issues } = buildRequest(config, operation, input, options, walk);
    if (input.query !== undefined || operation.query !== undefined) {
      const copied = copyQuery(input.query);
      const { serializeQuery } = await loadQuery();
      const query = serializeQuery(copied, operation.query);
      issues = [...issues, ...query.issues];
      spec = { ...spec, path: spec.path + query.text };
    }
    if (operation.body !== undefined) {
      const retryClass = config.retryClassOf(operation, input);
      const body = await serializeBody(operation.body, input, config.loadSchemas());
      issues = [...issues, ...body.issues];
      const headers = { "content-type": "application/json", ...spec.headers };
      spec = { ...spec, body: body.text, headers, retryClass };
    }
    if (issues.length > 0) throw invalidRequest(spec.label, issues, config.secret.redactor);
    return this.execute(spec, (buffered, run) => {
      const content = readResponse(config, buffered, run);
      return content instanceof Promise
        ? content.then((checked) => read(checked, operation))
        : read(content, operation);
    });
  }
}
