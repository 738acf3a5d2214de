/**
 * A minimal model of the store integration API, written from the contract and the gap register. It shares no
 * code with the clients and the reference server.
 */
import { checkQuery, type Issue, isUuid, parseQuery, type QueryRules } from "./checks.ts";
import {
  fetchFrom,
  isObject,
  jsonResponse,
  type Model,
  type ModelRequest,
  type ModelResponse,
  parseJson,
  textResponse,
} from "./exchange.ts";
import { createThrottle, type RateLimit } from "./throttle.ts";
import { chooseReadings, type GivenReadings, storeGaps, type StoreReadings } from "./readings.ts";
import { createRouter, type RouteMatch } from "./routes.ts";
import { crossStoreFillRate, expositionFillRate, storeFillRates } from "./store-fill-rates.ts";
import {
  findProtocol,
  getProtocol,
  listPhotos,
  listProtocols,
  listStores,
  photoStatusValues,
} from "./store-reads.ts";
import { protocolStatuses, seedStoreState, type StoreSeed, type StoreState } from "./store-state.ts";
import { storeView } from "./store-views.ts";
import {
  dateTimeForm,
  failure,
  type RecordCall,
  type StoreCall,
  type StoreOperation,
  type StoreWorld,
  success,
  timeRange,
} from "./store-world.ts";
import {
  checkContacts,
  checkExpectations,
  checkExpositions,
  checkExternalId,
  checkStore,
  contactListOf,
  expectationListOf,
  expositionListOf,
  putStore,
  replaceContacts,
  replaceExpectations,
  upsertExpositions,
} from "./store-writes.ts";

export interface StoreModelOptions extends StoreSeed {
  readonly readings?: GivenReadings;
  /** State to start from instead of a seed. It is copied. */
  readonly state?: StoreState;
  /** The service's token. Null: it has none configured. */
  readonly token?: string | null;
  /** The clock in milliseconds. Default: it stands still on 15 June 2026. */
  readonly now?: () => number;
  /** The limit under `limits.store-rate: too-many-requests`. Default: 60 requests a minute. */
  readonly rate?: RateLimit;
}

export interface StoreModel extends Model<StoreState> {
  readonly readings: StoreReadings;
  /** Value of the header `authorization` that the model accepts. */
  readonly authorization: string;
}

const store = "/v1/stores/{externalId}";
const range = {
  from: { type: "date-time", required: true },
  to: { type: "date-time", required: true },
} as const;
const limit100 = { limit: { type: "integer", minimum: 1, maximum: 100 } } as const;
const status = { status: { type: "text", values: protocolStatuses } } as const;
const percent = { type: "number", minimum: 0, maximum: 100 } as const;
const choice = (...values: string[]) => ({ type: "text", values }) as const;

/** Whether an undeclared `cursor` of the protocol list is unknown depends on its own gap. */
function protocolQuery(readings: StoreReadings): QueryRules {
  const isRefused = readings["protocols.next-page"] === "rejected";
  return {
    ...range,
    ...status,
    ...limit100,
    cursor: isRefused ? { type: "text", most: 0 } : { type: "text" },
  };
}

function photoQuery(readings: StoreReadings): QueryRules {
  const most = readings["photos.two-statuses"] === "both" ? 2 : 1;
  return {
    ...range,
    limit: { type: "integer", minimum: 1, maximum: 500 },
    status: { type: "text", values: photoStatusValues(readings["photos.status"]), most },
    protocolId: { type: "text" },
    expositionId: { type: "uuid" },
    cursor: { type: "text" },
  };
}

const crossStoreQuery: QueryRules = {
  ...range,
  ...status,
  groupBy: choice("store", "region", "expositionType", "productCategory", "day", "week"),
  externalIds: { type: "text" },
  minFillRate: percent,
  maxFillRate: percent,
  belowExpectationOnly: { type: "boolean" },
};

/** Under `not-found` an ID that is not a UUID is an unknown exposition. */
function checkExpositionId(path: StoreCall["path"], { readings }: StoreWorld): Issue[] {
  if (readings["fill-rates.exposition-id"] === "not-found" || isUuid(path["expositionId"] ?? "")) return [];
  return [{ path: "expositionId", message: "must be a UUID", code: "invalid_string" }];
}

/** The endpoint tables of contract section 4. */
function createOperations(readings: StoreReadings): StoreOperation[] {
  return [
    {
      on: "all",
      id: "listStores",
      method: "GET",
      path: "/v1/stores",
      refuses: true,
      query: { ...limit100, cursor: { type: "text" } },
      run: listStores,
    },
    {
      on: "store",
      id: "getStore",
      method: "GET",
      path: store,
      refuses: false,
      run: (_, { record }) => success(storeView(record.store)),
    },
    {
      on: "all",
      id: "putStore",
      method: "PUT",
      path: store,
      refuses: true,
      checkPath: checkExternalId,
      checkBody: checkStore,
      run: putStore,
    },
    {
      on: "store",
      id: "getContacts",
      method: "GET",
      path: `${store}/contacts`,
      refuses: false,
      run: (world, { record }) => contactListOf(world, record),
    },
    {
      on: "store",
      id: "putContacts",
      method: "PUT",
      path: `${store}/contacts`,
      refuses: true,
      checkBody: checkContacts,
      run: replaceContacts,
    },
    {
      on: "store",
      id: "getExpectations",
      method: "GET",
      path: `${store}/expectations`,
      refuses: false,
      run: (world, { record }) => expectationListOf(world, record),
    },
    {
      on: "store",
      id: "putExpectations",
      method: "PUT",
      path: `${store}/expectations`,
      refuses: true,
      checkBody: checkExpectations,
      run: replaceExpectations,
    },
    {
      on: "store",
      id: "getExpositions",
      method: "GET",
      path: `${store}/expositions`,
      refuses: false,
      run: (world, { record }) => expositionListOf(world, record),
    },
    {
      on: "store",
      id: "putExpositions",
      method: "PUT",
      path: `${store}/expositions`,
      refuses: true,
      checkBody: checkExpositions,
      run: upsertExpositions,
    },
    {
      on: "store",
      id: "listProtocols",
      method: "GET",
      path: `${store}/protocols`,
      refuses: true,
      query: protocolQuery(readings),
      run: listProtocols,
    },
    {
      on: "store",
      id: "getProtocol",
      method: "GET",
      path: `${store}/protocols/{protocolId}`,
      refuses: false,
      exists: (world, record, path) => findProtocol(world, record, path["protocolId"]) !== undefined,
      run: getProtocol,
    },
    {
      on: "store",
      id: "listPhotos",
      method: "GET",
      path: `${store}/photos`,
      refuses: true,
      query: photoQuery(readings),
      run: listPhotos,
    },
    {
      on: "store",
      id: "getStoreFillRates",
      method: "GET",
      path: `${store}/fill-rates`,
      refuses: true,
      query: { ...range, ...status, groupBy: choice("protocol", "exposition", "category") },
      run: storeFillRates,
    },
    {
      on: "store",
      id: "getExpositionFillRate",
      method: "GET",
      path: `${store}/expositions/{expositionId}/fill-rate`,
      refuses: true,
      query: { ...range, ...status },
      checkPath: checkExpositionId,
      exists: hasExposition,
      run: expositionFillRate,
    },
    {
      on: "all",
      id: "getFillRate",
      method: "GET",
      path: "/v1/fill-rate",
      refuses: true,
      query: crossStoreQuery,
      run: crossStoreFillRate,
    },
  ];
}

/** An ID that is not a UUID is left to `checkExpositionId` under `invalid`. */
function hasExposition(
  world: StoreWorld,
  { expositions }: RecordCall["record"],
  path: StoreCall["path"],
): boolean {
  const id = path["expositionId"]?.toLowerCase() ?? "";
  if (!isUuid(id) && world.readings["fill-rates.exposition-id"] === "invalid") return true;
  return expositions.some(({ expositionId }) => expositionId.toLowerCase() === id);
}

function findIssues(
  world: StoreWorld,
  operation: StoreOperation,
  call: StoreCall,
  body: string | undefined,
): Issue[] {
  const { readings } = world;
  const issues = checkQuery(call.query, operation.query ?? {}, {
    form: dateTimeForm(readings).accepted,
    rejectUnknown: operation.refuses && readings["requests.unknown-members"] === "rejected",
  });
  issues.push(...(operation.checkPath?.(call.path, world) ?? []));
  issues.push(...(operation.checkBody?.(parseJson(body ?? ""), world, call.path) ?? []));
  if (!operation.query?.["from"] || readings["time-range.inverted"] === "empty") return issues;
  const { from, to } = timeRange(call.query, readings);
  if (from > to) issues.push({ path: "from", message: "must not be after to", code: "custom" });
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

function unrouted(world: StoreWorld, match: RouteMatch<StoreOperation> | undefined): ModelResponse {
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

export function createStoreModel(options: StoreModelOptions = {}): StoreModel {
  const readings = chooseReadings(storeGaps, options.readings);
  const clock = options.now ?? (() => Date.UTC(2026, 5, 15, 12));
  const token = options.token === undefined ? "model-token" : options.token;
  const world: StoreWorld = {
    readings,
    applied: [],
    state: options.state ? structuredClone(options.state) : seedStoreState(options),
    now: () => clock() * 1000,
    byExternalId: new Map(),
    rows: undefined,
  };
  index(world);
  const route = createRouter(createOperations(readings));
  const throttle = createThrottle(readings["limits.store-rate"] === "none" ? "off" : options.rate, clock);
  const handle = ({ method, target, headers, body }: ModelRequest): ModelResponse => {
    world.state.requests += 1;
    if (token === null) return failure(world, "not_configured", "The service has no API token configured");
    if (!isBearer(headers?.["authorization"], token))
      return failure(world, "unauthorized", "Missing or invalid token");
    const wait = throttle(token);
    if (wait) return jsonResponse(429, { error: { message: "Too many requests" } }, wait);
    const [pathname = "", search = ""] = target.split("?", 2);
    const match = route(method, pathname);
    if (!match?.route) return unrouted(world, match);
    if ((body?.length ?? 0) > tenMegabytes && readings["limits.body-size"] === "ten-megabytes") {
      return textResponse(413, "Request Entity Too Large");
    }
    const call = { operation: match.route.id, target, path: match.path, query: parseQuery(search), body: {} };
    return execute(world, match.route, call, body);
  };
  return {
    readings,
    authorization: `Bearer ${token}`,
    handle,
    fetch: fetchFrom(handle),
    applied: world.applied,
    get state() {
      return world.state;
    },
    change(edit) {
      edit(world.state);
      index(world);
    },
  };
}

function isBearer(header: string | undefined, token: string): boolean {
  const [scheme = "", credentials] = (header ?? "").split(" ", 2);
  return scheme.toLowerCase() === "bearer" && credentials === token;
}
