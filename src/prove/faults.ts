import type {
  FaultKind,
  FaultPlace,
  ForcedResponse,
  OperationId,
  OperationOverride,
  ReferenceServer,
  ReferenceState,
  RequestView,
} from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";

/** What a fault reads and changes of its world. */
export interface FaultTarget {
  readonly ref: ReferenceServer;
  /** The operation that the task needs. */
  readonly operation: OperationId;
  /** The URL of another host, which records what it receives. */
  readonly elsewhereUrl: string;
  /** The times of the requests of the operation. */
  readonly times: readonly number[];
  /** The first success of the operation. */
  readonly first: JsonObject | undefined;
  /** Changes the data as another writer. */
  write(change: OtherWriter): undefined;
  /** Makes the token or key invalid, and gives the program a new one if `isReplaced`. */
  rotate(isReplaced: boolean): true;
}

/** Something that happens in a world. */
export interface Fault {
  /** The event, for the list of requests: "connection reset". */
  readonly what: string;
  /** Declares the fault, and returns the IDs of its overrides. */
  readonly arm: (world: FaultTarget) => readonly number[];
}

/** The requests that a fault affects. */
export interface Where {
  /** Default: the operation of the task. */
  readonly operation?: "*";
  readonly when?: (request: RequestView, world: FaultTarget) => boolean;
  /** The first request that it affects, counted from 1. Default: 1. */
  readonly from?: number;
  /** The number of requests. Default: 1. */
  readonly times?: number;
}

/** What another writer does to the data. */
export type OtherWriter = (state: ReferenceState) => void;

type Effect = (override: OperationOverride, world: FaultTarget) => OperationOverride;
type Answer = (request: RequestView, world: FaultTarget) => ForcedResponse;

export const ENDLESS = Number.POSITIVE_INFINITY;

/** Every request. */
export const always: Where = { times: ENDLESS };

/** The second request, which for a list is the second page. */
export const second: Where = { from: 2 };

/** The second request and all after it. */
export const fromSecond: Where = { from: 2, times: ENDLESS };

/** The time by which a timer of a program may be early, in milliseconds. */
export const EARLY = 20;

/** Makes a fault of overrides of the mock. */
export function fault(what: string, where: Where, ...effects: Effect[]): Fault {
  const { when = () => true, from = 1, times = 1 } = where;
  return {
    what,
    arm(world) {
      const operation = where.operation ?? world.operation;
      const override = world.ref.on(operation, { when: (request) => when(request, world) });
      for (const declare of effects) {
        declare(override, world).skip(from - 1);
        if (times !== ENDLESS) override.times(times);
      }
      return override.ids;
    },
  };
}

/** The service responds with this instead; `at: "after"`: it has executed the request before. */
export function respond(response: ForcedResponse, where: Where = {}, at?: "after"): Fault {
  const { status = 200, headers } = response;
  const wait = headers?.["retry-after"] === undefined ? "" : `, Retry-After: ${headers["retry-after"]}`;
  const what = `${at === "after" ? "executed, then" : "not executed:"} ${status}${wait}`;
  return fault(what, where, (on) => on.always(response, { at }));
}

/** A response with a page of HTML. */
export function htmlPage(status: number): ForcedResponse {
  return { status, body: `<html>status ${status}</html>`, headers: { "content-type": "text/html" } };
}

/** A response with an exact JSON text, which may be none. */
export function json(body: string): ForcedResponse {
  return { status: 200, body, headers: { "content-type": "application/json" } };
}

/** The service rejects the second request, and every later one until the time has passed that it tells the program to wait. */
export function rejectUntil(
  status: number,
  seconds: number,
  headersAt: (end: number) => Record<string, string>,
): Fault {
  const endOf = ({ times: [, start = Number.NaN] }: FaultTarget): number => start + seconds * 1000 - EARLY;
  return fault(
    `${status} until ${seconds} s have passed`,
    { ...always, when: (_, world) => Date.now() < endOf(world) },
    (on) => on.always({ status }),
    (on, world) => on.change((sent) => ({ ...sent, headers: headersAt(endOf(world)) })),
  );
}

/** The response has a fault of the reference server. */
export function breakResponse(kind: FaultKind, where: Where = {}, at?: FaultPlace): Fault {
  const what = `${at === "after" ? "executed, then " : ""}${kind}`;
  return fault(what, where, (on) => on.fault(kind, { at, ...(kind === "slow" && { bytesPerSecond: 200 }) }));
}

/** The response depends on the request, which is not executed. */
export function answer(what: string, where: Where, respondTo: Answer): Fault {
  return fault(
    what,
    where,
    (on) => on.always({ status: 500 }),
    (on, world) => on.change((_, request) => ({ status: 200, ...respondTo(request, world) })),
  );
}

type Redirection = "the same URL" | "the first page" | "another host";

/** A redirect. References are relative, so that they are right under every base URL. */
export function redirect(status: number, to: Redirection, where: Where = {}): Fault {
  return answer(`${status} to ${to}`, where, ({ query }, { elsewhereUrl }) => {
    const same = `?${searchOf(query).toString()}`;
    const others = { "the first page": "?limit=100", "another host": `${elsewhereUrl}/moved${same}` };
    return { status, body: "", headers: { location: to === "the same URL" ? same : others[to] } };
  });
}

/** Returns the query of a request, with the values of a repeated parameter in one. */
export function searchOf(query: RequestView["query"]): URLSearchParams {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** The service returns the credential that it received, in a body that a program may print. */
export function echo(status: number): Fault {
  return answer(`${status} with the received token`, always, ({ headers }) => {
    const message = `rejected the request with the header authorization: ${headers["authorization"]}`;
    const error = { code: "validation_failed", message };
    return { status, body: { error, errors: [{ ...error, code: "BAD_REQUEST" }] } };
  });
}

/** Another writer changes the data between this request and the next. */
export function otherWriter(what: string, where: Where, change: OtherWriter): Fault {
  return fault(`another writer ${what}`, where, (on, world) => on.change(() => world.write(change)));
}

/** The credential becomes invalid before the second request. */
export function rotate(isReplaced: boolean): Fault {
  return fault(
    `the credential was ${isReplaced ? "replaced" : "revoked"} before`,
    { ...always, when: (_, world) => world.times.length === 2 && world.rotate(isReplaced) },
    (on) => on.delay(0),
  );
}
