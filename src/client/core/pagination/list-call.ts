import type { Destination, DestinationLock } from "../request/destination.ts";
import { copyQuery } from "../request/build.ts";
import type { ResponseContent } from "../request/content.ts";
import { ConfigurationError, InvalidRequestError } from "../errors/errors.ts";
import { hidesProperties, isObject, type JsonObject } from "../../../wire/json.ts";
import type { CallOptions } from "../options/options.ts";
import type { Operation } from "../request/operation.ts";
import type { Shape } from "../request/shape.ts";
import type { Redactor } from "../../../wire/redaction.ts";

/** The parts of an API that lists use: their only connection to the request path. */
export interface PageApi {
  readonly config: {
    readonly operations: Readonly<Record<string, Pick<Operation, "method" | "path" | "query" | "list">>>;
    readonly destination?: Destination | ((secret: string) => Destination);
    readonly secret: { readonly redactor: Pick<Redactor, "redact"> };
  };
  page(
    operation: string,
    input: { path: object | undefined; query: object },
    options: CallOptions | undefined,
    destination: DestinationLock,
    cancel: AbortSignal | undefined,
  ): Promise<ResponseContent>;
}

/** The arguments of a list call. */
export interface ListRequest<T> {
  api: PageApi;
  operation: string;
  /** The IDs in the path. */
  path?: Readonly<Record<string, unknown>> | undefined;
  query: object | undefined;
  options: CallOptions | undefined;
  /** Parses each item. */
  shape?: Shape<T> | undefined;
}

/** A list call. It copies its arguments, so that later changes by the caller have no effect. */
export interface ListCall extends Pick<ListRequest<never>, "api" | "operation" | "path" | "options"> {
  /** The label for messages, e.g. `GET /v1/stores`. */
  readonly label: string;
  /** The query that is sent. */
  readonly baseQuery: JsonObject;
  /** The properties of the query that control the walk and are not sent. */
  readonly positionQuery: JsonObject;
  /** The query parameter that sets the first page. */
  readonly start: "cursor" | "page" | undefined;
  /** The number of items on a page, as the call or the contract says; undefined if neither does. */
  readonly pageSize: number | undefined;
}

/** @param positionNames the properties of the query that control the walk, besides `resume` and `maxIdleRequests` */
export function copyCall(
  { api, operation, path, query, options }: Omit<ListRequest<never>, "shape">,
  positionNames: readonly string[],
  start?: "cursor" | "page",
): ListCall {
  // without a prototype, a property `__proto__` is not lost, but rejected later
  const baseQuery: JsonObject = { __proto__: null };
  const positionQuery: JsonObject = {};
  for (const [name, value] of Object.entries(copyQuery(query))) {
    const isPosition = name === "resume" || name === "maxIdleRequests" || positionNames.includes(name);
    (isPosition ? positionQuery : baseQuery)[name] = value;
  }
  const { method, path: route, list } = api.config.operations[operation] as Operation; // the IDs come from the same table
  return {
    api,
    operation,
    path,
    options: options && copyOptions(options),
    label: `${method} ${route}`,
    baseQuery,
    positionQuery,
    start,
    pageSize: (baseQuery.limit ?? list?.defaultPageSize) as number | undefined, // validated with the request
  };
}

/** Returns the list in logs: its route and query, without secrets. */
export function describeCall({ api, label, path, baseQuery }: ListCall): string {
  return api.config.secret.redactor.redact(`${label} ${JSON.stringify({ ...path, ...baseQuery })}`);
}

export function refusal({ label }: ListCall, path: string, message: string): InvalidRequestError {
  return new InvalidRequestError(label, [{ path, message }]);
}

/** Copies the options of a call. Values other than objects are validated with the request. */
export function copyOptions<Options extends CallOptions>(options: Options): Options {
  if (!isObject(options)) return options;
  // the getters of a class would be left out
  if (hidesProperties(options)) throw new ConfigurationError("the options must be a plain object");
  const { headers, retry } = options;
  return {
    ...options,
    headers: headers instanceof Headers ? Object.fromEntries(headers) : copyPlain(headers),
    retry: copyPlain(retry),
  };
}

/** Copies an object without hidden properties; another value is validated where it is used. */
function copyPlain<T>(value: T): T {
  return isObject(value) && !hidesProperties(value) ? { ...value } : value;
}
