import type { Base, ReferenceServer, ResponseChange } from "../../mock/index.ts";
import { pathSegment } from "../../wire/path-segment.ts";
import { type ApiName, type OperationId, operations } from "../routes.ts";
import { type RecordedQuery, keyOf as keyOfRow, numberedPageOf, pageOf } from "./recorded-list.ts";
import { type JsonObject, isObject, objectOf, objectsIn } from "../../wire/json.ts";
import { isUuid } from "../../wire/uuid.ts";

/** A request for an operation. */
interface RecordedRequest {
  readonly operation: OperationId;
  /** The decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: RecordedQuery;
}

/** The response to a read. */
export interface RecordedRead extends RecordedRequest {
  readonly api: ApiName;
  readonly json: unknown;
}

/** The bodies that reads of a service got since it changed for the last time. */
export class RecordedResponses {
  readonly #reads = { store: new Map<string, RecordedRead>(), fleet: new Map<string, RecordedRead>() };
  readonly #keys = new Set<string>();

  /** Adds the response to a read. Another one than before shows that the earlier responses of its API are out of date. */
  add(read: RecordedRead): void {
    const key = keyOf(read);
    const earlier = this.#reads[read.api].get(key);
    if (earlier !== undefined && recordedText(earlier) !== recordedText(read)) this.forget(read.api);
    this.#keys.add(key);
    this.#reads[read.api].set(key, read);
  }

  /** Removes the responses of an API whose data have changed, except the pages of the walk that shows the change. */
  forget(outdated: ApiName, walk?: RecordedRequest): void {
    const reads = [...this.#reads[outdated]];
    const kept = walk === undefined ? [] : reads.filter(([, read]) => walkOf(read) === walkOf(walk));
    this.#reads[outdated] = new Map(kept);
  }

  /**
   * Returns a change of responses: a server returns what was recorded, as long as its own response is the one of an untouched
   * server with the same options. With other options (`isAltered`), or after a change (`isChanged`), an equal response is a proof only
   * if it shows the recorded rows.
   */
  replay(untouched: ReferenceServer, isAltered: boolean): ResponseChange {
    const keys = { store: untouched.token, fleet: untouched.key, sandbox: untouched.keys[1]?.key };
    return ({ status, body }, { operation, base, method, path, query, headers }, isChanged) => {
      if (method !== "GET" || REFUSALS.has(status)) return undefined;
      const request = { operation: operation as OperationId, params: path, query }; // the server has the same operations
      const read = this.#reads[base === "store" ? "store" : "fleet"].get(keyOf(request));
      if (read === undefined) return undefined;
      if ((isAltered || isChanged) && !(status === 200 && showsRowsOf(read, body))) return undefined;
      const own = untouched.respond({
        base: base as Base, // the server has the same base URLs
        method,
        target: targetOf(request),
        authorization: `Bearer ${keys[base as Base]}`, // as above
        apiVersion: headers["x-service-api-version"],
      });
      const texts = [JSON.parse(own.body ?? "null"), body].map((json) => ownText(read.operation, json));
      return own.status === status && texts[0] === texts[1] ? { status: 200, body: read.json } : undefined;
    };
  }

  /** The cursors in the recorded pages of an operation. */
  cursorsOf(operation: OperationId): string[] {
    const reads = [...this.#reads.store.values(), ...this.#reads.fleet.values()];
    return reads.flatMap((read) =>
      read.operation === operation ? (nextOf(read)?.query["cursor"] ?? []) : [],
    );
  }

  /** The number of requests whose recorded responses are out of date. */
  get outdated(): number {
    return this.#keys.size - this.#reads.store.size - this.#reads.fleet.size;
  }

  /** The operations of pages whose next page was not recorded, with their number. */
  get incomplete(): ReadonlyMap<OperationId, number> {
    const counts = new Map<OperationId, number>();
    for (const reads of Object.values(this.#reads)) {
      for (const read of reads.values()) {
        const next = nextOf(read);
        if (next === undefined || reads.has(keyOf(next))) continue;
        counts.set(read.operation, (counts.get(read.operation) ?? 0) + 1);
      }
    }
    return counts;
  }
}

/** The statuses that depend on the caller and not on the data. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a body has the rows of a recorded one, and the same next page. */
function showsRowsOf(read: RecordedRead, body: unknown): boolean {
  const next = [read.json, body].map((json) => JSON.stringify(nextOf({ ...read, json })?.query));
  return next[0] === next[1] && idsIn(read.json) === idsIn(body);
}

/** Returns the IDs of the rows of a list; an empty one for a row without ID. */
function idsIn(json: unknown): string {
  const { items, photos, data } = objectOf(json);
  const ids = objectsIn(items ?? photos ?? data ?? json).map((row) => {
    const key = keyOfRow(row);
    return key.startsWith("{") ? "" : key;
  });
  return JSON.stringify(ids.toSorted((a, b) => (a < b ? -1 : Number(a > b))));
}

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

/** Returns what the requests for the pages of a walk have in common. */
function walkOf({ operation, params, query }: RecordedRequest): string {
  const { cursor: _cursor, page: _page, ...filters } = query;
  return keyOf({ operation, params, query: filters });
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

/**
 * Returns the text of a recorded body without what differs in each response: the queries of its URLs, and values beside the
 * rows of a list or the data of a resource, such as a duration. gap photos.urls
 */
function recordedText({ api, operation, json }: RecordedRead): string {
  const isList = operations[operation].list !== undefined;
  const { meta, ...body } = isList && isObject(json) ? nestedIn(json) : objectOf(json);
  const known = isObject(json) ? { ...body, meta: api === "fleet" ? nestedIn(objectOf(meta)) : meta } : json;
  return textOf(known, (value) => value.replace(/\?.*/s, ""));
}

/** Returns the objects, arrays and cursors of an object. */
function nestedIn(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(
    ([name, value]) => /cursor$/i.test(name) || (typeof value === "object" && value !== null),
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the text of a body of the server without what differs in each response: signatures and new cursors. gaps photos.urls,
 * fleet.file-urls, protocols.next-page
 */
function ownText(operation: OperationId, json: unknown): string {
  const isNew = operation === "listProtocols" && isUuid(objectOf(json)["nextCursor"]);
  const body = isNew ? { ...objectOf(json), nextCursor: "new" } : json;
  return textOf(body, (value) => value.replace(/(?<=[?&])signature=[^&]*/, ""));
}

function textOf(json: unknown, withoutQuery: (url: string) => string): string {
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === "string" && URL.canParse(value) ? withoutQuery(value) : value,
  );
}
