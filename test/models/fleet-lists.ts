/** Numbered pages and filters of the fleet model (contract section 4). */
import type { Query, QueryRules } from "./checks.ts";
import type { Json, JsonObject, ModelResponse } from "./exchange.ts";
import { fieldTexts, fieldVehicles, fieldView } from "./fleet-fields.ts";
import type { Collection, Entity } from "./fleet-state.ts";
import { templateView } from "./fleet-views.ts";
import {
  badRequest,
  entitiesOf,
  findEntity,
  type FleetCall,
  type FleetWorld,
  notFound,
  success,
} from "./fleet-world.ts";
import type { FleetReadings } from "./readings.ts";

const defaultLimit = 50;
const maximumLimit = 100;

/** Rules of `page` and `limit`. Where the service clamps them, any integer will do. */
export function pageQuery(readings: FleetReadings): QueryRules {
  if (readings["fleet.limit-out-of-range"] === "clamped")
    return { page: { type: "integer" }, limit: { type: "integer" } };
  return {
    page: { type: "integer", minimum: 1 },
    limit: { type: "integer", minimum: 1, maximum: maximumLimit },
  };
}

/** Lists that come whole know `page` and `limit` and ignore them. */
export function openPageQuery(readings: FleetReadings): QueryRules {
  return readings["lists.undocumented"] === "paged"
    ? pageQuery(readings)
    : { page: { type: "text" }, limit: { type: "text" } };
}

interface Page {
  readonly number: number;
  readonly limit: number;
}

function requestedPage(query: Query): Page {
  const limit = Number(query.get("limit")?.[0] ?? defaultLimit);
  const number = Number(query.get("page")?.[0] ?? 1);
  return { number: Math.max(1, number), limit: Math.min(maximumLimit, Math.max(1, limit)) };
}

/** The number of the page to return, or `undefined` if a page past the end is rejected. */
function resolvePage(world: FleetWorld, requested: Page, totalPages: number): Page | undefined {
  if (requested.number <= Math.max(1, totalPages)) return requested;
  const responses = {
    empty: requested,
    rejected: undefined,
    clamped: { ...requested, number: Math.max(1, totalPages) },
  };
  return responses[world.readings["fleet.page-past-end"]];
}

function paginate<T>(
  world: FleetWorld,
  call: FleetCall,
  all: readonly T[],
  view: (element: T) => JsonObject,
  meta: JsonObject = {},
): ModelResponse {
  const requested = requestedPage(call.query);
  const totalPages = Math.ceil(all.length / requested.limit);
  const page = resolvePage(world, requested, totalPages);
  if (!page) return badRequest(world, "The page is past the end");
  const begin = (page.number - 1) * page.limit;
  const pagination = {
    currentPage: page.number,
    totalPages,
    totalCount: all.length,
    hasNextPage: page.number < totalPages,
    hasPreviousPage: page.number > 1,
  };
  return success(world, call, all.slice(begin, begin + page.limit).map(view), { pagination, ...meta });
}

/** A list that is known by its path only. */
export function openList(
  world: FleetWorld,
  call: FleetCall,
  collection: Collection,
  view: (entity: Entity) => JsonObject,
): ModelResponse {
  const all = entitiesOf(world, collection);
  if (world.readings["lists.undocumented"] === "paged") return paginate(world, call, all, view);
  return success(world, call, all.slice(0, world.variant.cap).map(view));
}

const unsent: Record<FleetReadings["fleet.unsent-filters"], (name: string) => JsonObject> = {
  "null-value": (name) => ({ [name]: null }),
  absent: () => ({}),
  "empty-string": (name) => ({ [name]: "" }),
};

function filtersMeta(world: FleetWorld, query: Query, names: readonly string[]): JsonObject {
  const sent = names.map((name) => {
    const value = query.get(name)?.[0];
    return value === undefined ? unsent[world.readings["fleet.unsent-filters"]](name) : { [name]: value };
  });
  return { filters: Object.assign({}, ...sent) as JsonObject };
}

function contains(values: readonly (Json | undefined)[], search: string | undefined): boolean {
  const wanted = search?.toLowerCase();
  return (
    wanted === undefined ||
    values.some((value) => typeof value === "string" && value.toLowerCase().includes(wanted))
  );
}

export function templateQuery(readings: FleetReadings): QueryRules {
  return {
    ...pageQuery(readings),
    [readings["templates.group-filter"]]: { type: "text" },
    [readings["templates.title-filter"]]: { type: "text" },
    isActive: { type: "boolean" },
  };
}

export function listTemplates(world: FleetWorld, call: FleetCall): ModelResponse {
  const { readings } = world;
  const value = (name: string): string | undefined => call.query.get(name)?.[0];
  const group = value(readings["templates.group-filter"]);
  const title = value(readings["templates.title-filter"]);
  const active = value("isActive") ?? (readings["templates.inactive"] === "active-only" ? "true" : undefined);
  const found = entitiesOf(world, "inspection-templates").filter(({ properties }) => {
    const { groupIds, isActive } = properties;
    const inGroup = group === undefined || (Array.isArray(groupIds) && groupIds.includes(group));
    return (
      inGroup &&
      contains([properties["title"]], title) &&
      (active === undefined || active === String(isActive === true))
    );
  });
  return paginate(world, call, found, (entity) => templateView(world, entity));
}

export function listFields(world: FleetWorld, call: FleetCall): ModelResponse {
  const search = call.query.get("search")?.[0];
  const found = entitiesOf(world, "vehicle-fields").filter((field) =>
    contains(fieldTexts(world, field), search),
  );
  return paginate(
    world,
    call,
    found,
    (field) => fieldView(world, field),
    filtersMeta(world, call.query, ["search"]),
  );
}

export function listFieldVehicles(world: FleetWorld, call: FleetCall): ModelResponse {
  const field = findEntity(world, "vehicle-fields", call.path["id"]);
  if (!field) return notFound("Vehicle field");
  const search = call.query.get("search")?.[0];
  const status = call.query.get("status")?.[0];
  const found = fieldVehicles(world, field).filter(
    (entry) =>
      contains([entry["plateNumber"], entry["brand"], entry["model"]], search) &&
      (status === undefined || entry["status"] === status),
  );
  const { label = null, inputType = null } = field.properties;
  const meta = {
    field: { id: field.id, label, inputType },
    ...filtersMeta(world, call.query, ["search", "status"]),
  };
  return paginate(world, call, found, (entry) => entry, meta);
}

/** The names of filters: all parameters except `page` and `limit`. */
function filtersOf(query: Query): [string, readonly string[]][] {
  return [...query].filter(([name]) => name !== "page" && name !== "limit");
}

/** Under `remembered` a later page without filters has those of the last first page of the same key and path. */
export function withRememberedFilters(world: FleetWorld, call: FleetCall): FleetCall {
  if (world.readings["lists.filters-across-pages"] === "repeated" || call.operation.method !== "GET")
    return call;
  const { remembered } = world.state;
  const place = `${call.key.key} ${call.target.split("?", 1)[0] ?? ""}`;
  const sent = filtersOf(call.query);
  if (requestedPage(call.query).number === 1) {
    remembered[place] = Object.fromEntries(sent.map(([name, values]) => [name, [...values]]));
    return call;
  }
  const kept = remembered[place];
  return sent.length > 0 || !kept
    ? call
    : { ...call, query: new Map([...call.query, ...Object.entries(kept)]) };
}
