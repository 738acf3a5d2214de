import type { Base, ReferenceServer, ResponseChange } from "../../mock/index.ts";
import { pathSegment } from "../../wire/path-segment.ts";
import { type ApiName, type OperationId, operations } from "../routes.ts";
import { type RecordedQuery, numberedPageOf, pageOf } from "./recorded-list.ts";
import { objectOf } from "../../wire/json.ts";

/** A request for an operation. */
interface RecordedRequest {
  readonly operation: OperationId;
  /** The decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: RecordedQuery;
}

interface RecordedRead extends RecordedRequest {
  readonly api: ApiName;
  readonly json: unknown;
}

/** The bodies that reads of a service got since it changed for the last time. */
export class RecordedResponses {
  readonly #reads = new Map<string, RecordedRead>();

  /** Adds the response to a read. Another one than before shows that the earlier responses of its API are out of date. */
  add(read: RecordedRead): void {
    const key = keyOf(read);
    const earlier = this.#reads.get(key);
    if (earlier !== undefined && textOf(earlier.json) !== textOf(read.json)) this.forget(read.api);
    this.#reads.set(key, read);
  }

  /** Removes the responses with a row that is gone. */
  forgetRow(id: string): void {
    const text = JSON.stringify(id);
    for (const [key, { json }] of this.#reads)
      if (JSON.stringify(json).includes(text)) this.#reads.delete(key);
  }

  /** Removes the responses of an API whose data have changed. */
  forget(outdated: ApiName): void {
    for (const [key, { api }] of this.#reads) if (api === outdated) this.#reads.delete(key);
  }

  /**
   * Returns a change of responses: a server returns what was recorded, as long as its own response is the one of an untouched
   * server with the same options.
   */
  replay(untouched: ReferenceServer): ResponseChange {
    return ({ status, body }, { operation, base, method, path, query, headers }) => {
      if (method !== "GET" || REFUSALS.has(status)) return undefined;
      const request = { operation: operation as OperationId, params: path, query }; // the server has the same operations
      const read = this.#reads.get(keyOf(request));
      if (read === undefined) return undefined;
      const own = untouched.respond({
        base: base as Base, // the server has the same base URLs
        method,
        target: targetOf(request),
        authorization: `Bearer ${base === "store" ? untouched.token : untouched.key}`,
        apiVersion: headers["x-service-api-version"],
      });
      const isUntouched = own.status === status && textOf(JSON.parse(own.body ?? "null")) === textOf(body);
      return isUntouched ? { status: 200, body: read.json } : undefined;
    };
  }

  /** The operations of pages whose next page was not recorded, with their number. */
  get incomplete(): ReadonlyMap<OperationId, number> {
    const counts = new Map<OperationId, number>();
    for (const read of this.#reads.values()) {
      const next = nextOf(read);
      if (next === undefined || this.#reads.has(keyOf(next))) continue;
      counts.set(read.operation, (counts.get(read.operation) ?? 0) + 1);
    }
    return counts;
  }
}

/** The statuses that depend on the caller and not on the data. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** Returns the request for the page after a page. */
function nextOf({ operation, params, query, json }: RecordedRead): RecordedRequest | undefined {
  const { response } = operations[operation];
  if (response === "numbered-page") {
    const { next } = numberedPageOf(query, json);
    return next === undefined ? undefined : { operation, params, query: { ...query, page: next } };
  }
  const { next } = pageOf(query, objectOf(json));
  return next === undefined ? undefined : { operation, params, query: { ...query, cursor: next } };
}

function keyOf({ operation, params, query }: RecordedRequest): string {
  return JSON.stringify([operation, sorted(params), sorted(query)]);
}

function sorted(object: object): unknown[] {
  return Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function targetOf({ operation, params, query }: RecordedRequest): string {
  const path = operations[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pathSegment(params[name] ?? ""),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return `${path}?${new URLSearchParams(pairs).toString()}`;
}

/** Returns the text of a body without the queries of its URLs, which differ in each response. gap photos.urls */
function textOf(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === "string" && URL.canParse(value) ? value.replace(/\?.*/s, "") : value,
  );
}
