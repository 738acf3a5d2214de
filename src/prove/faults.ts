import type {
  FaultKind,
  FaultPlace,
  ForcedResponse,
  OperationId,
  OperationOverride,
  PagingFaultKind,
  ReferenceServer,
  ReferenceState,
  RequestView,
  ResponseChange,
} from "../mock/index.ts";
import { isObject, type JsonObject, objectOf, objectsIn } from "../wire/json.ts";

/** The parts of a world that a fault can use. */
export interface FaultContext {
  readonly ref: ReferenceServer;
  /** The operation that the task needs. */
  readonly operation: OperationId;
  /** The URL of another host, which records what it receives. */
  readonly elsewhere: string;
  /** Makes the token and the key invalid, and gives the program new ones if `isReplaced`. */
  readonly rotate: (isReplaced: boolean) => void;
}

/** Something that happens in a world. */
export interface Fault {
  /** The event, for the list of requests: "connection reset". */
  readonly what: string;
  /** The change of another writer, which a correct result keeps. */
  readonly write?: OtherWriter;
  /** Declares the fault. */
  readonly arm: (context: FaultContext) => OperationOverride;
}

type OtherWriter = (state: ReferenceState) => void;

/** The requests that a fault affects. */
export interface Where {
  /** Default: the operation of the task; `read`: every GET. */
  readonly operation?: "read";
  /** The first request that it affects, counted from 1. Default: 1. */
  readonly from?: number;
  /** The number of requests. Default: 1. */
  readonly times?: number;
}

const ENDLESS = Number.POSITIVE_INFINITY;

/** Every request. */
export const always: Where = { times: ENDLESS };

/** The second request, which for a list is the second page. */
export const second: Where = { from: 2 };

/** The second request and all after it. */
export const fromSecond: Where = { from: 2, times: ENDLESS };

/** The time by which a timer of a program may be early, in milliseconds. */
export const EARLY = 20;

type Declare = (override: OperationOverride, context: FaultContext) => void;

function fault(what: string, where: Where, declare: Declare): Fault {
  return {
    what,
    arm(context) {
      const { ref, operation } = context;
      const override =
        where.operation === "read"
          ? ref.on("*", { when: ({ method }) => method === "GET" })
          : ref.on(operation);
      declare(override, context);
      return restrict(override, where);
    },
  };
}

/** Limits the last declaration of an override. */
function restrict(override: OperationOverride, { from = 1, times = 1 }: Where): OperationOverride {
  override.skip(from - 1);
  return times === ENDLESS ? override : override.times(times);
}

/** The service responds with this instead; `at: "after"`: it has executed the request before. */
export function respond(
  response: ForcedResponse,
  where: Where = {},
  at: "before" | "after" = "before",
): Fault {
  const executed = at === "after" ? "executed, then " : "";
  return fault(`${executed}${response.status ?? 200}`, where, (override) =>
    override.always(response, { at }),
  );
}

/** A response with a page of HTML. */
export function htmlPage(status: number): ForcedResponse {
  return { status, body: `<html>status ${status}</html>`, headers: { "content-type": "text/html" } };
}

/** A response with an exact JSON text, which may be none. */
export function json(body: string): ForcedResponse {
  return { status: 200, body, headers: { "content-type": "application/json" } };
}

/** The service rejects a request, and every later one until the time has passed that it tells the program to wait. */
export function rejectUntil(
  status: number,
  seconds: number,
  headersAt: (end: number) => Record<string, string>,
): Fault {
  return {
    what: `${status} until ${seconds} s have passed`,
    arm({ ref, operation }) {
      let [count, end] = [0, 0];
      const when = () => {
        count += 1;
        if (count === 2) end = Date.now() + seconds * 1000 - EARLY;
        return Date.now() < end;
      };
      ref
        .on(operation)
        .change((sent) => (sent.status === status ? { ...sent, headers: headersAt(end) } : undefined));
      return ref.on(operation, { when }).always({ status });
    },
  };
}

const BROKEN: Record<FaultKind, string> = {
  reset: "connection reset",
  close: "connection closed",
  truncate: "body cut off",
  malformed: "body is not JSON",
  html: "HTML page with 200",
  stall: "no response",
  slow: "body arrives slowly",
};

export function breakResponse(kind: FaultKind, where: Where = {}, at?: FaultPlace): Fault {
  const what = `${at === "after" ? "executed, then " : ""}${BROKEN[kind]}`;
  const options = { at, ...(kind === "slow" && { bytesPerSecond: 200 }) };
  return fault(what, where, (override) => override.fault(kind, options));
}

/** Every page of the list is faulty. */
export function breakPages(what: string, kind: PagingFaultKind): Fault {
  return fault(what, always, (override) => override.paging(kind));
}

export function change(what: string, where: Where, apply: ResponseChange): Fault {
  return fault(what, where, (override) => override.change(apply));
}

export function changeBody(what: string, where: Where, apply: (body: JsonObject) => unknown): Fault {
  return change(what, where, ({ status, body }) =>
    status < 300 && isObject(body) ? { status, body: apply(body) } : undefined,
  );
}

/** Changes `meta.pagination`. */
export function changePagination(
  what: string,
  where: Where,
  changes: (before: JsonObject) => JsonObject,
): Fault {
  return changeBody(what, where, ({ meta, ...body }) => {
    const { pagination, ...others } = objectOf(meta);
    const before = objectOf(pagination);
    return { ...body, meta: { ...others, pagination: { ...before, ...changes(before) } } };
  });
}

/** Changes pages, knowing the first one. */
function changePage(
  what: string,
  where: Where,
  apply: (page: JsonObject, first: JsonObject) => JsonObject,
): Fault {
  return {
    what,
    arm(context) {
      let first: JsonObject | undefined;
      changeBody("", {}, (body) => (first = body)).arm(context);
      return changeBody(what, where, (body) => apply(body, first ?? body)).arm(context);
    },
  };
}

/** The first page comes again, with everything in it. */
export const firstPageAgain = changePage("the first page again", second, (_, first) => first);

/** Changes the rows of a page, whatever its list is called; `earlier` are those of the first page. */
export function changeRows(
  what: string,
  where: Where,
  apply: (rows: JsonObject[], earlier: JsonObject[]) => readonly JsonObject[],
): Fault {
  return changePage(what, where, (page, first) => {
    const name = listIn(page);
    return { ...page, [name]: apply(objectsIn(page[name]), objectsIn(first[name])) };
  });
}

/** Returns the name of the property of a page that has its rows. */
function listIn(body: JsonObject): string {
  return ["items", "data", "photos"].find((name) => Array.isArray(body[name])) ?? "items";
}

/** A request to answer. */
type Asked = Pick<RequestView, "path" | "query" | "headers">;

type Answer = (request: Asked, context: FaultContext) => ForcedResponse;

/** The response depends on the request, which is not executed. */
export function answer(what: string, where: Where, respondTo: Answer): Fault {
  return {
    what,
    arm(context) {
      const override = restrict(context.ref.on(context.operation).always({ status: 500 }), where);
      return restrict(
        override.change((_, request) => ({ status: 200, ...respondTo(request, context) })),
        where,
      );
    },
  };
}

/** How a service of the scenario cuts a list into pages. */
interface Cut {
  /** The property by which the list is sorted, and whose value is the cursor. */
  readonly key?: string;
  /** Selects the rows that the service knows. */
  readonly select?: (row: JsonObject, index: number) => boolean;
  /** The largest number of rows on a page, although the next page begins where a page of `limit` rows would end. */
  readonly size?: number;
  /** The number of rows after which the service shows none. */
  readonly window?: number;
}

/** The list of stores, which continues after the value that the cursor names. */
export function serveStores(what: string, { key = "externalId", size, window = ENDLESS }: Cut): Fault {
  return answer(what, always, ({ query: { cursor, limit = 50 } }, { ref }) => {
    const rows = Array.from(ref.state.store.stores.values(), (store) => {
      const row: JsonObject = { ...store };
      return { row, value: String(row[key]) };
    });
    const all = rows.toSorted((a, b) => (a.value < b.value ? -1 : 1));
    const start = cursor === undefined ? 0 : all.filter(({ value }) => value <= String(cursor)).length;
    const end = start + Number(limit);
    const next = end < window ? all.slice(0, -1)[end - 1] : undefined;
    const items = all.slice(start, end).map(({ row }) => row);
    return { body: { items: items.slice(0, size), nextCursor: next?.value ?? null } };
  });
}

/** A list with numbers of pages, which ignores filters. */
export function servePages(what: string, { select = () => true, size, window }: Cut = {}): Fault {
  return answer(what, always, ({ query }, { ref: { state }, operation }) => {
    const { vehicles, damages, inspectionTemplates } = state.fleet;
    const rows = { listVehicles: vehicles, listDamages: damages }[operation as string] ?? inspectionTemplates;
    const all = [...rows.values()].filter(select);
    const [page, limit] = [Number(query["page"] ?? 1), Number(query["limit"] ?? 50)];
    const pagination = {
      currentPage: page,
      totalPages: Math.ceil(all.length / limit),
      totalCount: all.length,
      hasNextPage: page * limit < all.length,
      hasPreviousPage: page > 1,
    };
    const data = all
      .slice(0, window)
      .slice((page - 1) * limit, page * limit)
      .slice(0, size);
    return { body: { data, meta: { version: "v1", pagination } } };
  });
}

/** Every page but the first is refused. */
export function expireCursor(status: number): Fault {
  return {
    what: `${status} for a cursor`,
    arm: ({ ref, operation }) =>
      ref.on(operation, { when: ({ query }) => query["cursor"] !== undefined }).always({ status }),
  };
}

/** Lists show what they showed at first. */
export const staleLists: Fault = {
  what: "the list as it was at first",
  arm({ ref }) {
    const bodies = new Map<string, unknown>();
    const lists = ref.on("*", { when: ({ operation }) => operation.startsWith("list") });
    return lists.change(({ status, body }, { query }) => {
      const key = JSON.stringify(query);
      if (!bodies.has(key)) bodies.set(key, body);
      return { status, body: bodies.get(key) };
    });
  },
};

/** The service stores a new store under its external ID in upper case. */
export const normalizeKeys: Fault = {
  what: "the external ID in upper case",
  arm: ({ ref }) =>
    ref.on("putStore").change(({ status, body }) => {
      const { stores } = ref.state.store;
      const externalId = String(objectOf(body)["externalId"]);
      const stored = stores.get(externalId);
      stores.delete(externalId);
      const changed = { externalId: externalId.toUpperCase() };
      if (stored !== undefined) stores.set(changed.externalId, { ...stored, ...changed });
      return { status, body: { ...objectOf(body), ...changed } };
    }),
};

/** Where a redirect leads: to the same URL, to the same path without its query, or to another host. */
type Redirection = "the same URL" | "the first page" | "another host";

export function redirect(status: number, to: Redirection, where: Where = {}): Fault {
  return answer(`${status} to ${to}`, where, (request, { elsewhere }) => ({
    status,
    body: "",
    headers: { location: locationOf(request, to, elsewhere) },
  }));
}

/** A relative reference to the same path, which is the same for every base URL. */
function locationOf({ path, query }: Asked, to: Redirection, elsewhere: string): string {
  const search = searchOf(query);
  const last = Object.values(path).at(-1);
  if (to === "the first page") return "?limit=100";
  if (to === "another host") return `${elsewhere}/moved?${search}`;
  return search.size > 0 || last === undefined ? `?${search}` : `./${encodeURIComponent(last)}`;
}

/** Returns the query of a request, with the values of a repeated parameter in one. */
export function searchOf(query: Asked["query"]): URLSearchParams {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** The service returns the credential that it received, in a body that a program may print. */
export function echo(status: number, where: Where = {}): Fault {
  return answer(`${status} with the received token`, where, ({ headers }) => {
    const message = `rejected the request with the header authorization: ${headers["authorization"]}`;
    const error = { code: "validation_failed", message };
    return { status, body: { error, errors: [{ ...error, code: "BAD_REQUEST" }] } };
  });
}

/** Another writer changes the data between this request and the next. */
export function otherWriter(what: string, write: OtherWriter, where: Where = {}): Fault {
  const declare: Declare = (override, { ref }) =>
    override.change(() => {
      write(ref.state);
      return undefined;
    });
  return { ...fault(`another writer ${what}`, where, declare), write };
}

/** The credential becomes invalid before this request. */
export function rotate(isReplaced: boolean, { from = 1 }: Where = {}): Fault {
  return {
    what: isReplaced ? "the credential was replaced before" : "the credential was revoked before",
    arm({ ref, operation, rotate: replace }) {
      let count = 0;
      const when = () => {
        count += 1;
        if (count === from) replace(isReplaced);
        return count === from;
      };
      return ref.on(operation, { when }).delay(0);
    },
  };
}
