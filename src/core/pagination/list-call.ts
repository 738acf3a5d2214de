import type { ResponseContent } from "../request/response.ts";
import { InvalidRequestError } from "../errors/errors.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import type { CallOptions } from "../options/options.ts";
import type { Shape } from "../request/shape.ts";
import { readGuardState, WalkGuard } from "./guard.ts";
import { badToken, type CallDigests, digestCall, readToken, writeToken } from "./resume.ts";

/** What lists need of the API: the only contact between them and the request path. */
export interface PageApi {
  /** `GET /v1/stores`, for messages. */
  labelOf(operation: string): string;
  page(
    operation: string,
    input: { path: object; query: object },
    options: CallOptions | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<ResponseContent>;
}

/** A list as the caller asked for it. */
export interface ListRequest<T> extends CallRequest {
  /** Reads each item. */
  shape?: Shape<T> | undefined;
}

/** What does not depend on the type of the items. */
interface CallRequest {
  /** The IDs in the path. */
  path?: Readonly<Record<string, unknown>>;
  query: object | undefined;
  options: CallOptions | undefined;
}

/** A call copied when it is made: nothing that the caller changes later reaches a request. */
export class ListCall {
  readonly label: string;
  /** The query as it is sent. */
  readonly sent: JsonObject;
  /** The members of the query that steer the walk and are not sent. */
  readonly steering: JsonObject;
  readonly options: CallOptions | undefined;
  readonly #start: string | undefined;
  readonly #api: PageApi;
  readonly #operation: string;
  readonly #path: object;
  #digests: CallDigests | undefined;

  /** @param start the query parameter that says where the list begins, where it has one */
  constructor(api: PageApi, operation: string, request: CallRequest, steering: readonly string[], start?: "cursor" | "page") {
    const entries = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined);
    const copies = entries.map(([name, value]) => [name, copy(value)] as const);
    const steers = (name: string): boolean =>
      name === "resume" || name === "maxIdleRequests" || steering.includes(name);
    this.label = api.labelOf(operation);
    this.sent = Object.fromEntries(copies.filter(([name]) => !steers(name)));
    this.steering = Object.fromEntries(copies.filter(([name]) => steers(name)));
    this.options = copyOptions(request.options);
    this.#start = start;
    this.#api = api;
    this.#operation = operation;
    this.#path = { ...request.path };
  }

  /** Starts a walk: its guard, and the token that it resumes from. */
  begin(): { guard: WalkGuard; token: JsonObject | undefined } {
    const { resume, maxIdleRequests } = this.steering;
    const start = this.#start;
    if (
      maxIdleRequests !== undefined &&
      !(Number.isSafeInteger(maxIdleRequests) && (maxIdleRequests as number) > 0)
    )
      throw this.refusal("maxIdleRequests", "must be a whole number, 1 or more");
    const maxIdle = maxIdleRequests as number | undefined; // checked above
    if (resume === undefined) return { guard: new WalkGuard(this.label, maxIdle), token: undefined };
    if (start !== undefined && this.sent[start] !== undefined)
      throw this.refusal(start, "cannot be given together with `resume`, which says where the list goes on");
    const token = readToken(this.label, resume, this.#list());
    const state = readGuardState(token.guard);
    if (state === undefined) throw badToken(this.label);
    return { guard: new WalkGuard(this.label, maxIdle, state), token };
  }

  /** Requests a page; `changes` are laid over the query. */
  request(changes: JsonObject, cancel: AbortSignal | undefined): Promise<ResponseContent> {
    const input = { path: this.#path, query: { ...this.sent, ...changes } };
    return this.#api.page(this.#operation, input, this.options, cancel);
  }

  /** The token of a page: its walk goes on at `position`. */
  token(position: object, guard: WalkGuard): string {
    return writeToken(this.#list(), { position, guard: guard.state });
  }

  refusal(path: string, message: string): InvalidRequestError {
    return new InvalidRequestError(this.label, [{ path, message }]);
  }

  #list(): CallDigests {
    if (this.#digests === undefined) {
      const { sent } = this;
      const filters = this.#start === undefined ? sent : { ...sent, [this.#start]: undefined };
      const identify = this.steering.identify === undefined ? undefined : "given";
      this.#digests = digestCall(this.label, { ...this.#path, ...filters, identify });
    }
    return this.#digests;
  }
}

function copy(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? new Date(value) : value.toISOString();
  if (Array.isArray(value)) return [...(value as unknown[])];
  return isObject(value) ? { ...value } : value;
}

/** Anything but an object is left for the check of the request. */
function copyOptions(options: CallOptions | undefined): CallOptions | undefined {
  if (!isObject(options)) return options;
  const { headers, retry } = options;
  const copied: CallOptions = { ...options };
  if (headers instanceof Headers) copied.headers = Object.fromEntries(headers);
  else if (isObject(headers) && !(Symbol.iterator in headers))
    copied.headers = { ...headers } as Record<string, string>; // the values are checked with the request
  if (isObject(retry)) copied.retry = { ...retry };
  return copied;
}
