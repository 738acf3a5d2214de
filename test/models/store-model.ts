/**
 * A minimal model of the store integration API, written from the contract and the gap register. It shares no
 * code with the clients and the reference server.
 */
import { checkQuery, type Issue, parseQuery } from "./checks.ts";
import {
  fetchFrom,
  isObject,
  jsonResponse,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Variant,
  parseJson,
  splitTarget,
  standingClock,
  textResponse,
} from "./exchange.ts";
import { chooseReadings, type GivenReadings, storeGaps, type StoreReadings } from "./readings.ts";
import { createRouter, type RouteMatch } from "./routes.ts";
import { operations } from "./store-operations.ts";
import { seedStoreState, type StoreSeed, type StoreState } from "./store-state.ts";
import {
  dateTimeForm,
  failure,
  type StoreCall,
  type StoreOperation,
  type StoreWorld,
  timeRange,
} from "./store-world.ts";
import { createThrottle, type RateLimit, type Throttle } from "./throttle.ts";

export interface StoreModelOptions extends StoreSeed {
  readonly readings?: GivenReadings;
  /** State to start from instead of a seed. It is copied. */
  readonly state?: StoreState;
  readonly variant?: Variant;
  /** The service's token, or what returns the current one. Null: no token is configured. */
  readonly token?: string | null | (() => string);
  /** The clock in milliseconds. Default: the constant time 15 June 2026. */
  readonly now?: () => number;
  /** The limit under `limits.store-rate: too-many-requests`. Default: 60 requests a minute. */
  readonly rate?: RateLimit | "off";
}

export interface StoreModel extends Model<StoreState> {
  readonly readings: StoreReadings;
  /** Value of the header `authorization` that the model accepts. */
  readonly authorization: string;
}

function findIssues(
  world: StoreWorld,
  operation: StoreOperation,
  call: StoreCall,
  body: string | undefined,
): Issue[] {
  const { readings } = world;
  const rules = typeof operation.query === "function" ? operation.query(readings) : (operation.query ?? {});
  const issues = checkQuery(call.query, rules, {
    form: dateTimeForm(readings).accepted,
    rejectUnknown: operation.refuses && readings["requests.unknown-properties"] === "rejected",
  });
  issues.push(...(operation.checkPath?.(call.path, world) ?? []));
  issues.push(...(operation.checkBody?.(parseJson(body ?? ""), world, call.path) ?? []));
  if (!rules["from"]) return issues;
  const { from, to } = timeRange(call.query, readings);
  if (from > to && readings["time-range.inverted"] === "reject")
    issues.push({ path: "from", message: "must not be after to", code: "custom" });
  return issues;
}

function notFound(world: StoreWorld, operation: StoreOperation, call: StoreCall): ModelResponse | undefined {
  if (operation.on === "all") return undefined;
  const record = world.byExternalId.get(call.path["externalId"] ?? "");
  if (!record) return failure(world, "not_found", "Unknown store");
  if (operation.exists?.(world, record, call.path) === false)
    return failure(world, "not_found", "Unknown resource");
  return undefined;
}

function run(world: StoreWorld, operation: StoreOperation, call: StoreCall): ModelResponse {
  if (operation.on === "all") return operation.run(world, call);
  const record = world.byExternalId.get(call.path["externalId"] ?? "");
  if (!record) throw new Error("The check for unknown stores comes first");
  return operation.run(world, { ...call, record });
}

/** The checks in the order of the reading, then the operation itself. */
function execute(
  world: StoreWorld,
  operation: StoreOperation,
  call: StoreCall,
  body: string | undefined,
): ModelResponse {
  const missing = notFound(world, operation, call);
  if (missing && world.readings["requests.check-order"] === "not-found-first") return missing;
  const issues = findIssues(world, operation, call, body);
  if (issues.length > 0) return failure(world, "validation_failed", "The request is not valid", issues);
  if (missing) return missing;
  const parsed = operation.checkBody ? parseJson(body ?? "") : undefined;
  return run(world, operation, isObject(parsed) ? { ...call, body: parsed } : call);
}

const tenMegabytes = 10_000_000;

function respondUnrouted(world: StoreWorld, match: RouteMatch<StoreOperation> | undefined): ModelResponse {
  const readings = world.readings["errors.other-statuses"];
  if (match && readings === "any") return textResponse(405, "<h1>Method Not Allowed</h1>", "text/html");
  return failure(world, "not_found", "Unknown path");
}

function index(world: StoreWorld): void {
  world.rows = undefined;
  world.byExternalId = new Map(
    world.state.stores.flatMap((record) =>
      record.store.externalId === null ? [] : [[record.store.externalId, record]],
    ),
  );
}

function isBearer(header: string | undefined, token: string): boolean {
  const [scheme = "", credentials] = (header ?? "").split(" ", 2);
  return scheme.toLowerCase() === "bearer" && credentials === token;
}

const route = createRouter(operations);

/** The checks that come before those of the operation. */
function createHandler(
  world: StoreWorld,
  token: () => string | null,
  throttle: Throttle,
): (request: ModelRequest) => ModelResponse {
  const { readings } = world;
  return ({ method, target, headers, body, isWhole }) => {
    world.state.requests += 1;
    const current = token();
    if (current === null) return failure(world, "not_configured", "The service has no API token configured");
    if (!isBearer(headers?.["authorization"], current))
      return failure(world, "unauthorized", "Missing or invalid token");
    const wait = throttle(current);
    if (wait) return jsonResponse(429, { error: { message: "Too many requests" } }, wait);
    const [pathname, search] = splitTarget(target);
    const match = route(method, pathname);
    if (!match?.route) return respondUnrouted(world, match);
    if ((body?.length ?? 0) > tenMegabytes && readings["limits.body-size"] === "ten-megabytes")
      return textResponse(413, "Request Entity Too Large");
    const call = { operation: match.route.id, target, path: match.path, query: parseQuery(search), body: {} };
    return execute(isWhole ? wholeLists(world) : world, match.route, call, body);
  };
}

/** The world as it is behind the limits of single pages. Only reads may be made in it. */
function wholeLists(world: StoreWorld): StoreWorld {
  const { cap: _, offsets: __, ...variant } = world.variant;
  return { ...world, variant, isWhole: true };
}

export function createStoreModel(options: StoreModelOptions = {}): StoreModel {
  const readings = chooseReadings(storeGaps, options.readings);
  const clock = options.now ?? standingClock;
  const { token: given = "model-token" } = options;
  const token = typeof given === "function" ? given : () => given;
  const world: StoreWorld = {
    readings,
    applied: [],
    variant: options.variant ?? {},
    state: options.state ? structuredClone(options.state) : seedStoreState(options),
    now: () => clock() * 1000,
    byExternalId: new Map(),
    rows: undefined,
  };
  index(world);
  const throttle = createThrottle(readings["limits.store-rate"] === "none" ? "off" : options.rate, clock);
  const handle = createHandler(world, token, throttle);
  return {
    basePath: "",
    readings,
    get authorization() {
      return `Bearer ${token()}`;
    },
    handle,
    fetch: fetchFrom(handle),
    applied: world.applied,
    state: world.state,
    change(edit) {
      edit(world.state);
      index(world);
    },
  };
}
