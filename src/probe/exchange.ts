import { type JsonObject, isObject, objectOf, objectsIn } from "./json.ts";

/** A query; a list stands for a parameter that is sent several times. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** One request and its response, as evidence. */
export interface Exchange {
  /** The number in the report's list of evidence, from 1 on. */
  readonly n: number;
  readonly api: "store" | "fleet";
  /** Which credentials were used: `store`, `fleet`, `sandbox` or `narrow-1`. */
  readonly as: string;
  readonly method: string;
  /** The path below the base address, encoded. */
  readonly path: string;
  readonly query: Query;
  /** The id of the operation; `undefined` where no operation has this path. */
  readonly operation: string | undefined;
  /** The values in the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** `X-Service-API-Version` of the request. */
  readonly version: string | undefined;
  readonly status: number;
  /** The body without secrets. */
  readonly text: string;
  /** The body's value; `undefined` where it is empty. */
  readonly json: unknown;
  /** False where the response proves nothing: 5xx, 429, HTML, a body that is not the contract's. */
  readonly isEvidence: boolean;
}

/** The body as an object; an empty one where it is something else. */
export function bodyOf(exchange: Exchange): JsonObject {
  return objectOf(exchange.json);
}

/** The rows of a list: `items` of the store API, `data` of the fleet API, or whatever list stands in its place. */
export function rowsOf(exchange: Exchange): JsonObject[] {
  const body = bodyOf(exchange);
  if (exchange.api === "store") return objectsIn(body.items);
  // gap fleet.unshown-answers
  const list = [body.data, exchange.json, ...Object.values(body)].find((value) => Array.isArray(value));
  return objectsIn(list);
}

/** The object of a fleet response: `data`, or the body where it has no envelope. */
export function dataOf(exchange: Exchange): JsonObject {
  const body = bodyOf(exchange);
  return isObject(body.data) ? body.data : body;
}

/** `meta.pagination` of a fleet list. */
export function paginationOf(exchange: Exchange): JsonObject | undefined {
  const { pagination } = objectOf(bodyOf(exchange).meta);
  return pagination === undefined || pagination === null ? undefined : objectOf(pagination);
}

export function isOk({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** Method, path and query on one line. */
export function lineOf({ method, path, query }: Pick<Exchange, "method" | "path" | "query">): string {
  const search = searchOf(query);
  return `${method} ${path}${search === "" ? "" : `?${search}`}`;
}

/** A query as it stands in an address, without the question mark. */
export function searchOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return new URLSearchParams(pairs).toString();
}
