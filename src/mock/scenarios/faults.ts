import { isObject, type JsonObject, objectsIn } from "../../wire/json.ts";
import type { OperationId } from "../server/operations.ts";
import type { FaultKind, FaultPlace } from "../testing/effects.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { OperationOverride } from "../testing/overrides.ts";
import type {
  ForcedResponse,
  OtherWrite,
  PagingFaultKind,
  ResponseChange,
  SentResponse,
} from "../testing/effects.ts";

/** The parts of a world that a fault can use. */
export interface FaultContext {
  readonly ref: ReferenceServer;
  /** The operation that the task needs. */
  readonly operation: OperationId;
  /** The URL of another host, which records what it receives. */
  readonly elsewhere: string;
  /** Makes the token and the key invalid, and gives the program new ones if `isReplaced`. */
  rotate(isReplaced: boolean): void;
}

/** Something that happens in a world. */
export interface Fault {
  /** The event, for the list of requests: "the response is lost". */
  readonly what: string;
  /** A change of another writer, which a correct result keeps. */
  readonly write?: OtherWrite;
  /** Declares the fault. */
  arm(context: FaultContext): OperationOverride;
}

/** The requests that a fault affects. */
export interface Where {
  /** Default: the operation of the task; `read`: every GET. */
  readonly operation?: "read";
  /** The first request that it affects, counted from 1. Default: 1. */
  readonly from?: number;
  /** The number of requests. Default: 1. */
  readonly times?: number;
}

const ALWAYS = Number.POSITIVE_INFINITY;

/** The time by which a timer of a program may be early, in milliseconds. */
export const EARLY = 20;

/** Every request. */
export const always: Where = { times: ALWAYS };

/** The second request, which for a list is the second page. */
export const second: Where = { from: 2 };

type Declare = (override: OperationOverride, context: FaultContext) => void;

function select({ ref, operation }: FaultContext, where: Where): OperationOverride {
  return where.operation === "read"
    ? ref.on("*", { when: ({ method }) => method === "GET" })
    : ref.on(operation);
}

function fault(what: string, where: Where, declare: Declare): Fault {
  const { from = 1, times = 1 } = where;
  return {
    what,
    arm(context) {
      const override = select(context, where);
      declare(override, context);
      override.skip(from - 1);
      if (times !== ALWAYS) override.times(times);
      return override;
    },
  };
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

/** The service rejects a request, and every later one until the time has passed that it tells the program to wait. */
export function limit(seconds: number, { from = 1 }: Where = {}): Fault {
  return {
    what: `429 until ${seconds} s have passed`,
    arm({ ref, operation }) {
      let [count, end] = [0, 0];
      const when = () => {
        count += 1;
        if (count === from) end = performance.now() + seconds * 1000 - EARLY;
        return performance.now() < end;
      };
      return ref.on(operation, { when }).always({ status: 429, headers: { "retry-after": String(seconds) } });
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
  return fault(what, where, (override) => override.fault(kind, at === undefined ? {} : { at }));
}

const PAGING: Record<PagingFaultKind, string> = {
  "repeat-cursor": "the cursor stays the same",
  cycle: "the cursors form a loop",
  "empty-page": "an empty page in the middle",
  clamp: "the second page again",
  shift: "rows move between the pages",
};

/** Every page of the list is faulty. */
export function breakPages(kind: PagingFaultKind): Fault {
  return fault(PAGING[kind], always, (override) => override.paging(kind));
}

export function change(what: string, where: Where, apply: ResponseChange): Fault {
  return fault(what, where, (override) => override.change(apply));
}

/** Every row of the response is changed, whatever its list is called. */
export function changeRows(what: string, where: Where, apply: (row: JsonObject) => JsonObject): Fault {
  return changeBody(what, where, (body) => {
    const name = ["items", "data", "photos"].find((property) => Array.isArray(body[property]));
    return name === undefined ? apply(body) : { ...body, [name]: objectsIn(body[name]).map(apply) };
  });
}

export function changeBody(what: string, where: Where, apply: (body: JsonObject) => unknown): Fault {
  return change(what, where, ({ status, body }) =>
    status < 300 && isObject(body) ? { status, body: apply(body) } : undefined,
  );
}

/** Another writer changes the data between this request and the next. */
export function otherWriter(write: OtherWrite, where: Where = {}): Fault {
  const what = `another writer: ${write.method} ${write.path}`;
  return { ...fault(what, where, (override) => override.write(write)), write };
}

/** The response depends on the request, which is not executed. */
function respondTo(
  what: string,
  where: Where,
  responseTo: (request: Asked, context: FaultContext) => ForcedResponse,
): Fault {
  const { from = 1, times = 1 } = where;
  return {
    what,
    arm(context) {
      const override = select(context, where);
      const restrict = () => void (times === ALWAYS ? override : override.skip(from - 1).times(times));
      override.always({ status: 500 });
      restrict();
      override.change((_, request) => responseTo(request, context));
      restrict();
      return override;
    },
  };
}

/** Where a redirect leads: to the same URL, to the same path without its query, or to another host. */
type Redirection = "same host" | "first page" | "other host";

const REDIRECTIONS: Record<Redirection, string> = {
  "same host": "the same URL",
  "first page": "the first page",
  "other host": "another host",
};

export function redirect(status: number, to: Redirection, where: Where = {}): Fault {
  const what = `${status} to ${REDIRECTIONS[to]}`;
  return respondTo(what, where, (request, { elsewhere }) => ({
    status,
    body: "",
    headers: { location: locationOf(request, to, elsewhere) },
  }));
}

/** A request to respond to. */
interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the query of a request, with the values of a repeated parameter in one. */
export function searchOf(query: Asked["query"]): URLSearchParams {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** A relative reference to the same path, which is the same for every base URL. */
function locationOf({ path, query }: Asked, to: Redirection, elsewhere: string): string {
  const [search, last] = [searchOf(query), Object.values(path).at(-1)];
  if (to === "first page") return "?limit=100";
  if (to === "other host") return `${elsewhere}/moved?${search}`;
  return search.size > 0 || last === undefined ? `?${search}` : `./${encodeURIComponent(last)}`;
}

/** The service returns the credential that it received, in a body that a program may print. */
export function echo(status: number, where: Where = {}): Fault {
  return respondTo(`${status} with the received token`, where, ({ headers }) => {
    const message = `rejected the request with the header authorization: ${headers["authorization"]}`;
    const error = { code: "validation_failed", message };
    return { status, body: { error, errors: [{ ...error, code: "BAD_REQUEST" }] } };
  });
}

/** The credential becomes invalid before this request. */
export function rotate(isReplaced: boolean, where: Where = {}): Fault {
  const { from = 1 } = where;
  return {
    what: isReplaced ? "the credential was replaced before" : "the credential was revoked before",
    arm(context) {
      let count = 0;
      const when = () => {
        count += 1;
        if (count !== from) return false;
        context.rotate(isReplaced);
        return true;
      };
      return context.ref.on(context.operation, { when }).delay(0);
    },
  };
}

/** Returns a response with this text as its JSON, for values that no JSON library of this machine could write. */
export function jsonText(text: string, { status }: SentResponse): ForcedResponse {
  return { status, body: text, headers: { "content-type": "application/json" } };
}
