/**
 * A minimal model of the fleet inspection API, written from the contract and the gap register. It shares no
 * code with the clients and the reference server.
 */
import { checkQuery, isUuid, parseQuery } from "./checks.ts";
import {
  fetchFrom,
  isObject,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Variant,
  parseJson,
  splitTarget,
  standingClock,
} from "./exchange.ts";
import { canCarry, type Environment, findKey, keyText, opens, tableScopes } from "./fleet-access.ts";
import { withRememberedFilters } from "./fleet-lists.ts";
import { routes } from "./fleet-operations.ts";
import {
  type Collection,
  type Entity,
  type FleetSeed,
  type FleetState,
  type KeyRecord,
  seedFleetState,
} from "./fleet-state.ts";
import {
  badRequest,
  type FleetCall,
  type FleetWorld,
  forbidden,
  notFound,
  tooManyRequests,
  unauthorized,
} from "./fleet-world.ts";
import { chooseReadings, fleetGaps, type FleetReadings, type GivenReadings } from "./readings.ts";
import { createRandom } from "./random.ts";
import { createRouter } from "./routes.ts";
import { createThrottle, type RateLimit, type Throttle } from "./throttle.ts";

const basePath = "/api/third-party/v1";

export interface FleetModelOptions extends FleetSeed {
  readonly readings?: GivenReadings;
  /** Default `sandbox`. */
  readonly environment?: Environment;
  /** The clock in milliseconds. Default: the constant time 15 June 2026. */
  readonly now?: () => number;
  /** The limit under `limits.fleet-rate: too-many-requests`. Default: 60 requests a minute. */
  readonly rate?: RateLimit | "off";
  readonly variant?: Variant;
  /** Finds the key of a header `authorization` instead of the model. */
  readonly findKey?: (authorization: string | undefined) => KeyRecord | undefined;
}

export interface FleetModel extends Model<FleetState> {
  readonly readings: FleetReadings;
  /** A key with every scope of the contract's table. */
  readonly key: string;
  /** Makes a key. Undefined where the readings refuse one with these scopes, or with capital letters. */
  makeKey(scopes: readonly string[], isUpperCase?: boolean): string | undefined;
}

/** The reason why the version header is rejected. */
function versionProblem(header: string | undefined, readings: FleetReadings): string | undefined {
  if (header === undefined)
    return readings["fleet.version-header"] === "required" ? "X-Service-API-Version is missing" : undefined;
  return header !== "v1" && readings["fleet.unknown-version"] === "rejected"
    ? "Unknown API version"
    : undefined;
}

/** Media types of bodies. The contract names the type for POST and PUT only. */
function bodyProblem({ method, headers, body }: ModelRequest, readings: FleetReadings): string | undefined {
  if (method === "GET" || method === "DELETE") return undefined;
  const type = headers?.["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  const isMergePatch = method === "PATCH" && readings["fleet.patch-content-type"] === "merge-patch";
  if (type !== (isMergePatch ? "application/merge-patch+json" : "application/json"))
    return "Wrong Content-Type";
  return isObject(parseJson(body ?? "")) ? undefined : "The body is not a JSON object";
}

function queryProblem(call: FleetCall, readings: FleetReadings): string | undefined {
  const { operation, query } = call;
  const isOpenList = operation.isPathOnly && operation.method === "GET" && !operation.path.endsWith("{id}");
  const unknown = readings[isOpenList ? "lists.unknown-filters" : "fleet.unknown-properties"];
  const [issue] = checkQuery(query, operation.query, {
    form: "rfc3339",
    rejectUnknown: unknown === "rejected",
  });
  return issue && `${issue.path} ${issue.message}`;
}

/** Only the IDs of inspections have a form, so only they can be malformed. */
function idProblem({ operation, path }: FleetCall, readings: FleetReadings): string | undefined {
  const id = path["id"];
  const isChecked = operation.path === "/inspections/{id}" && readings["fleet.malformed-ids"] === "invalid";
  return isChecked && !isUuid(id ?? "") ? "The ID is not a UUID" : undefined;
}

function execute(world: FleetWorld, call: FleetCall, request: ModelRequest): ModelResponse {
  const { readings } = world;
  const { operation, key } = call;
  if (!opens(key, operation.scopes, readings))
    return forbidden(world, [...new Set(operation.scopes.flat())], key.scopes);
  const problem =
    versionProblem(request.headers?.["x-service-api-version"], readings) ??
    idProblem(call, readings) ??
    queryProblem(call, readings) ??
    bodyProblem(request, readings);
  if (problem !== undefined) return badRequest(world, problem);
  const parsed = request.body ? parseJson(request.body) : undefined;
  return operation.run(world, {
    ...withRememberedFilters(world, call),
    body: isObject(parsed) ? parsed : {},
  });
}

function indexOf(state: FleetState): FleetWorld["index"] {
  const of = (collection: Collection): Map<string, Entity> =>
    new Map(state.entities[collection].map((entity) => [entity.id, entity]));
  return {
    vehicles: of("vehicles"),
    "vehicle-groups": of("vehicle-groups"),
    "vehicle-fields": of("vehicle-fields"),
    "inspection-templates": of("inspection-templates"),
    inspections: of("inspections"),
    damages: of("damages"),
    "driver-assignments": of("driver-assignments"),
  };
}

function hexKey(seed: number): string {
  const random = createRandom(seed);
  return Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join("");
}

const route = createRouter(routes);

function createHandler(
  world: FleetWorld,
  find: NonNullable<FleetModelOptions["findKey"]>,
  throttle: Throttle,
): (request: ModelRequest) => ModelResponse {
  const { readings, state } = world;
  return (request) => {
    state.requests += 1;
    const key = find(request.headers?.["authorization"]);
    if (!key) return unauthorized("Invalid or missing API key");
    const wait = throttle(key.key);
    if (wait) return tooManyRequests(wait);
    const { target, method } = request;
    const [pathname, search] = splitTarget(target);
    const match = pathname.startsWith(`${basePath}/`)
      ? route(method, pathname.slice(basePath.length))
      : undefined;
    const operation = match?.route?.operation(readings);
    if (!match || !operation) return notFound("Path");
    const call = {
      operation,
      target,
      path: match.path,
      query: parseQuery(search),
      body: {},
      key,
    };
    const { cap: _, ...variant } = world.variant;
    return execute(request.isWhole ? { ...world, variant } : world, call, request);
  };
}

export function createFleetModel(options: FleetModelOptions = {}): FleetModel {
  const readings = chooseReadings(fleetGaps, options.readings);
  const clock = options.now ?? standingClock;
  const form = { prefix: "fleet", environment: options.environment ?? "sandbox" };
  const state = seedFleetState(options, readings);
  const now = (): string => new Date(clock()).toISOString();
  const world: FleetWorld = {
    readings,
    variant: options.variant ?? {},
    applied: [],
    state,
    index: indexOf(state),
    references: undefined,
    now,
  };
  const find =
    options.findKey ?? ((header: string | undefined) => findKey(header, state.keys, form, readings));
  const throttle = createThrottle(readings["limits.fleet-rate"] === "none" ? "off" : options.rate, clock);
  const handle = createHandler(world, find, throttle);
  const makeKey = (scopes: readonly string[], isUpperCase = false): string | undefined => {
    if (!canCarry(scopes, readings) || (isUpperCase && readings["keys.hex-case"] === "lower-only"))
      return undefined;
    const hex = hexKey(state.seed * 1000 + state.keys.length);
    const key = keyText(form, isUpperCase ? hex.toUpperCase() : hex);
    state.keys.push({ key, scopes: [...scopes] });
    return key;
  };
  return {
    basePath,
    readings,
    key: makeKey(tableScopes) ?? "",
    makeKey,
    handle,
    fetch: fetchFrom(handle),
    applied: world.applied,
    state,
    change(edit) {
      edit(state);
      world.index = indexOf(state);
      world.references = undefined;
    },
  };
}
