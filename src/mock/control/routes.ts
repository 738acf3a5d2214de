import * as z from "zod/mini";
import { tableOf } from "../../wire/names.ts";
import { Routes } from "../server/routes.ts";
import { fleetResources } from "../fleet/data.ts";
import { messageOf } from "../../wire/thrown.ts";
import {
  type Delay,
  type Duration,
  type ExportedState,
  type FaultKind,
  type FaultPlace,
  type FleetOptions,
  type ForcedResponse,
  type JournalEntry,
  type JournalMatcher,
  type OperationId,
  type OtherWrite,
  type OverrideMatcher,
  type PagingFaultKind,
  type PendingOverride,
  type ReferenceServer,
  type StoreOptions,
  createReferenceServer,
} from "../index.ts";
import { parse } from "../server/schemas.ts";

/** Where the control API begins, at the root of the server. */
export const CONTROL_PATH = "/__ref";

/** The path that responds with 200 without a token, for scripts that wait for the server. */
export const HEALTH_PATH = `${CONTROL_PATH}/health`;

/** An error with its own status. All other errors of a route have the status 400. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request whose token and route were checked. The reference server checks the values of the body. */
export interface ControlRequest<Body> {
  readonly ref: ReferenceServer;
  readonly body: Body;
  /** The path parameter. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** One operation of the control API. It returns the body of its response, or nothing for 204. */
export interface ControlRoute {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The query parameters. */
  readonly query: readonly string[];
  /** The status of a response with a body. */
  readonly status: number;
  /** The properties of the body, if it is not passed to one method as a whole. */
  readonly body: z.ZodMiniType | undefined;
  run(request: ControlRequest<never>): unknown;
}

type RouteRow = Omit<ControlRoute, "method" | "path">;

type Extras = Partial<Pick<RouteRow, "query" | "status" | "body">>;

function route<Body>(
  summary: string,
  run: (request: ControlRequest<Body>) => unknown,
  { query = [], status = 200, body }: Extras = {},
): RouteRow {
  return { summary, query, status, body, run };
}

const anything = z.optional(z.unknown());
const nothing = z.strictObject({});

/** An override as a request declares it. */
interface OverrideBody extends OtherEffects {
  readonly operation: OperationId | "*";
  readonly matcher?: OverrideMatcher;
  readonly at?: FaultPlace;
  readonly times?: number;
  readonly rate?: number;
  readonly skip?: number;
}

interface OtherEffects {
  readonly response?: ForcedResponse;
  readonly fault?: FaultKind;
  readonly delay?: Delay;
  readonly paging?: PagingFaultKind;
  readonly write?: OtherWrite;
}

/** The seeds of the data; a server keeps its tokens and keys. */
const seedBody = z.strictObject({
  seed: anything,
  store: z.optional(
    z.strictObject({ stores: anything, storesWithoutId: anything, protocolsPerStore: anything }),
  ),
  fleet: z.optional(z.strictObject(tableOf(fleetResources, () => anything))),
});

const EFFECTS = ["response", "fault", "delay", "paging", "write"] as const;

const overrideBody = z
  .strictObject({
    operation: z.string(),
    matcher: anything,
    response: anything,
    fault: anything,
    delay: anything,
    paging: anything,
    write: anything,
    at: anything,
    times: anything,
    rate: anything,
    skip: anything,
  })
  .check(
    z.refine(
      (body) => EFFECTS.filter((name) => body[name] !== undefined).length === 1,
      `must have exactly one of ${EFFECTS.join(", ")}`,
    ),
    z.refine(
      ({ at, response, fault }) => at === undefined || response !== undefined || fault !== undefined,
      'must have "response" or "fault" with "at"',
    ),
  );

const rows: Readonly<Record<string, RouteRow>> = {
  "GET /health": route("responds with 200, also without the token", () => ({ status: "ok" })),
  "POST /reset": route("resets the server to its seed", ({ ref, body }: ControlRequest<object>) =>
    ref.reset(body),
  ),
  "GET /state": route(
    "returns the data as JSON",
    ({ ref, query }) => ref.exportState({ full: flagOf(query.full) }),
    {
      query: ["full"],
    },
  ),
  "PUT /state": route("replaces the data", ({ ref, body }: ControlRequest<ExportedState>) =>
    ref.importState(body),
  ),
  "POST /seed": route(
    "replaces the data by a generated seed",
    ({ ref, body }: ControlRequest<{ seed?: number; store?: StoreOptions; fleet?: FleetOptions }>) => {
      const options = { ...body, now: ref.clock.now(), readings: ref.readings };
      const { now: _now, ...state } = createReferenceServer(options).exportState();
      ref.importState(state);
    },
    { body: seedBody },
  ),
  "GET /journal": route("returns the requests and the contract violations", readJournal, {
    query: ["operation", "status", "last"],
  }),
  "DELETE /journal": route("removes all requests from the journal", ({ ref }) => ref.journal.clear()),
  "POST /journal/find": route(
    "returns the requests that match",
    ({ ref, body }: ControlRequest<JournalMatcher>) => ({ requests: ref.journal.find(body) }),
  ),
  "POST /journal/expect": route(
    "responds with 409 if the number of matching requests is not the expected one",
    expectRequests,
  ),
  "GET /overrides": route("returns the active overrides", ({ ref }) => ({ overrides: ref.overrides.all() })),
  "POST /overrides": route("declares an override of an operation", addOverride, {
    status: 201,
    body: overrideBody,
  }),
  "DELETE /overrides": route("removes all overrides", ({ ref }) => ref.overrides.clear()),
  "GET /overrides/{id}": route("returns an active override", findOverride),
  "DELETE /overrides/{id}": route("removes an override", (request) => {
    request.ref.overrides.remove(findOverride(request).id);
  }),
  "GET /clock": route("returns the time of the clock", ({ ref }) => ({ now: ref.clock.now().toISOString() })),
  "POST /clock": route(
    "moves or sets the clock",
    ({ ref, body: { advance, set } }: ControlRequest<{ advance?: Duration; set?: string }>) => {
      if ((advance === undefined) === (set === undefined))
        throw new Error('the body must have either "advance" or "set"');
      if (advance !== undefined) ref.clock.advance(advance);
      if (set !== undefined) ref.clock.set(set);
    },
    { body: z.strictObject({ advance: anything, set: anything }) },
  ),
  "GET /readings": route("returns the readings in force", ({ ref }) => ref.readings),
  "POST /readings": route("switches readings", ({ ref, body }: ControlRequest<object>) =>
    ref.switchReadings(body),
  ),
  "GET /limits": route("returns the rate limits", ({ ref }) => ref.limits),
  "PUT /limits": route("limits the rate of requests", ({ ref, body }: ControlRequest<object>) =>
    ref.switchLimits(body),
  ),
  "GET /credentials": route("returns tokens and keys without their secrets", ({ ref }) => ({
    credentials: ref.credentials.list(),
  })),
  "POST /credentials/tokens": route(
    "adds a token",
    ({ ref, body }: ControlRequest<object>) => ref.credentials.addToken(body),
    { status: 201 },
  ),
  "POST /credentials/keys": route(
    "adds a key",
    ({ ref, body }: ControlRequest<object>) => ref.credentials.addKey(body),
    { status: 201 },
  ),
  "POST /credentials/{id}/revoke": route(
    "revokes a token or key",
    (request) => request.ref.credentials.revoke(credentialId(request)),
    {
      body: nothing,
    },
  ),
  "POST /credentials/{id}/expire": route(
    "lets a token or key expire",
    (request: ControlRequest<{ at?: string }>) =>
      request.ref.credentials.expire(credentialId(request), request.body.at),
    { body: z.strictObject({ at: anything }) },
  ),
};

/** The operations by method and path below `/__ref`. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = Object.fromEntries(
  Object.entries(rows).map(([id, row]) => {
    const [method = "", path = ""] = id.split(" ");
    return [id, { method, path, ...row }];
  }),
);

/** Finds the routes of a path below `/__ref`. */
export const routesOfPath = new Routes(controlRoutes);

/** Returns a line for each operation. */
export function describeControl(): string {
  return Object.values(controlRoutes)
    .map(({ method, path, summary }) => `  ${method.padEnd(7)}${path.padEnd(27)}${summary}`)
    .join("\n");
}

function flagOf(text = "false"): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new Error("full must be true or false");
}

function readJournal({ ref: { journal }, query }: ControlRequest<unknown>): object {
  const { operation, status } = query;
  const matcher: JournalMatcher = {
    operation: operation as OperationId | undefined, // the journal rejects unknown ones
    status: numberIn(query, "status"),
  };
  const last = numberIn(query, "last") ?? Infinity;
  const isFiltered = operation !== undefined || status !== undefined;
  const isWanted = (entry: JournalEntry) =>
    entry.operation !== null &&
    (operation === undefined || operation === "*" || entry.operation === operation) &&
    (matcher.status === undefined || entry.status === matcher.status);
  const requests = isFiltered ? journal.find(matcher) : journal.all();
  const violations = journal.violations().filter((entry) => !isFiltered || isWanted(entry));
  return { requests: requests.slice(-last), violations: violations.slice(-last) };
}

function numberIn(query: Readonly<Record<string, string>>, name: string): number | undefined {
  const text = query[name];
  if (text === undefined || /^[1-9]\d{0,14}$/.test(text))
    return text === undefined ? undefined : Number(text);
  throw new Error(`${name} must be a positive integer`);
}

/** Responds with 409 and the differences if the journal does not contain the expected requests. */
function expectRequests({ ref, body }: ControlRequest<JournalMatcher & { times?: number }>): object {
  const { times, ...matcher } = body;
  const found = ref.journal.find(matcher); // throws for an invalid matcher
  try {
    return { requests: ref.journal.expect(matcher, { times }) };
  } catch (error) {
    const isInvalid =
      times !== undefined && !(Number.isSafeInteger(times) && times >= 0 && times !== found.length);
    throw new ControlError(isInvalid ? 400 : 409, messageOf(error)); // the differences
  }
}

function findOverride({ ref, id }: ControlRequest<unknown>): PendingOverride {
  const found = /^[1-9]\d{0,14}$/.test(id) ? ref.overrides.get(Number(id)) : undefined;
  if (found !== undefined) return found;
  throw new ControlError(404, `No override with the ID "${id.slice(0, 40)}" is in force`);
}

/** Declares an override and returns it. Nothing is declared if a property is invalid. */
function addOverride({ ref, body }: ControlRequest<OverrideBody>): PendingOverride | undefined {
  const { operation, matcher, response, fault, delay, paging, write, at, times, rate, skip } = body;
  const override = ref.on<OperationId | "*">(operation, matcher);
  try {
    if (response !== undefined) override.always(response, { at: at as "after" | undefined }); // it checks the place
    if (fault !== undefined) override.fault(fault, { at });
    if (delay !== undefined) override.delay(delay);
    if (paging !== undefined) override.paging(paging);
    if (write !== undefined) override.write(write);
    if (skip !== undefined) override.skip(skip);
    if (rate !== undefined) override.rate(rate);
    if (times !== undefined) override.times(times);
  } catch (error) {
    override.remove();
    throw error;
  }
  return override.ids.map((id) => ref.overrides.get(id)).at(0);
}

/** A path must not contain a secret, so only IDs are accepted; other texts are not quoted. */
function credentialId({ ref, id }: ControlRequest<unknown>): string {
  const ids = ref.credentials.list().map((credential) => credential.id);
  if (ids.includes(id)) return id;
  throw new ControlError(404, `No token or key has this ID. Expected one of ${ids.join(", ")}`);
}

/** Checks the properties of a body that is not passed on as a whole. */
export function parseControlBody({ body: schema }: ControlRoute, body: object): never {
  if (schema !== undefined) parse(schema, body, "body");
  return body as never; // the type of whatever the route takes
}
