import { fleetOperations } from "../../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../../wire/operation.ts";
import { pathSegment } from "../../../../wire/path-segment.ts";
import { bodyOf, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { isObject, objectOf, objectsIn } from "../../json.ts";
import { fleetOf } from "../../experiment-tools.ts";
import { idsIn, isWhole, listOf } from "./data.ts";

const UNDOCUMENTED: ReadonlySet<string> = new Set(
  Object.values<Operation>(fleetOperations)
    .filter(({ list }) => list?.isDocumented === false)
    .map(({ id }) => id),
);

export const undocumentedLists = experiment({
  gap: "lists.undocumented",
  consent: "read",
  cost: 1,
  needs: "a key that may read vehicles and damages",
  examine: (exchange) => {
    if (!UNDOCUMENTED.has(exchange.operation ?? "") || !isOk(exchange) || exchange.query.limit === undefined)
      return undefined;
    const limit = Number(exchange.query.limit);
    const pagination = paginationOf(exchange);
    // gap fleet.undocumented-responses: without an envelope only the number of rows shows it
    if (!isObject(bodyOf(exchange).meta)) return undefined;
    const observed = { isPaged: pagination !== undefined, isWithin: rowsOf(exchange).length <= limit };
    const reason = `${exchange.path} with a limit of ${limit} ${observed.isPaged ? "has" : "lacks"} pagination.`;
    return tentativeResult(observed, reason, exchange);
  },
  observe: async function* observe(tools) {
    for (const path of ["/vehicles", "/damages", "/inspections", "/vehicle-groups"]) {
      const page = await listOf(tools, path);
      yield undefined;
      if (isObject(bodyOf(page).meta) || rowsOf(page).length < 2) continue;
      const one = await listOf(tools, path, { limit: "1" });
      const observed = { isPaged: rowsOf(one).length === 1, isWithin: true };
      yield tentativeResult(observed, `${path} with a limit of 1 has ${rowsOf(one).length} rows.`, page, one);
    }
    throw new Missing("lists that say how many rows there are");
  },
  readings: {
    paged: ({ isPaged, isWithin }) => isPaged && isWithin,
    whole: ({ isPaged }) => !isPaged,
  },
});

export const undocumentedResponses = experiment({
  gap: "fleet.undocumented-responses",
  consent: "read",
  cost: 1,
  needs: "a key that may read vehicles and damages",
  examine: (exchange) => {
    if (!UNDOCUMENTED.has(exchange.operation ?? "") || !isOk(exchange)) return undefined;
    const { data, meta } = bodyOf(exchange);
    const isEnvelope = Array.isArray(data) && isObject(meta);
    return tentativeResult(
      isEnvelope,
      `${exchange.path} ${isEnvelope ? "has" : "lacks"} data and meta.`,
      exchange,
    );
  },
  observe: async function* observe(tools) {
    for (const path of ["/vehicles", "/damages"]) {
      await listOf(tools, path);
      yield undefined;
    }
  },
  readings: { envelope: (isEnvelope) => isEnvelope, anything: (isEnvelope) => !isEnvelope },
});

export const unsentFilters = experiment({
  gap: "fleet.unsent-filters",
  consent: "read",
  cost: 1,
  needs: "a vehicle field",
  examine: (exchange) => {
    if (!["listVehicleFields", "listVehicleFieldVehicles"].includes(exchange.operation ?? ""))
      return undefined;
    if (!isOk(exchange) || exchange.query.search !== undefined) return undefined;
    const { filters } = objectOf(bodyOf(exchange).meta);
    const { search } = objectOf(filters);
    // the service may remember the filter of an earlier page: gap lists.filters-across-pages
    if (typeof search === "string" && search !== "") return undefined;
    const reason = `meta.filters.search is ${search === undefined ? "missing" : JSON.stringify(search)}.`;
    return tentativeResult({ search }, reason, exchange);
  },
  observe: async function* observe(tools) {
    const [id] = idsIn(rowsOf(await listOf(tools, "/vehicle-fields")));
    yield undefined;
    if (id === undefined) throw new Missing("a vehicle field");
    await listOf(tools, fieldVehicles(id));
    yield undefined;
  },
  readings: {
    "null-value": ({ search }) => search === null,
    absent: ({ search }) => search === undefined,
    "empty-string": ({ search }) => search === "",
  },
});

export function fieldVehicles(id: string): string {
  return `/vehicle-fields/${pathSegment(id)}/vehicles`;
}

/** The number of fields that are examined. */
const MAX_FIELDS = 4;

export const noResponse = experiment({
  gap: "fields.no-response",
  consent: "read",
  cost: 2,
  needs: "a vehicle without a response for a field",
  examine: (exchange) => {
    if (exchange.operation !== "listVehicleFieldVehicles" || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row.latestResponse === null).length;
    const absent = rows.filter((row) => row.latestResponse === undefined).length;
    if (nulls + absent === 0) return undefined;
    const reason = `latestResponse is null for ${nulls} and missing for ${absent} of ${rows.length} vehicles.`;
    return conclusiveResult({ nulls, absent, omitted: 0 }, reason, exchange);
  },
  observe: async function* observe(tools) {
    const vehicles = idsIn(rowsOf(await listOf(tools, "/vehicles")));
    const fields = idsIn(rowsOf(await listOf(tools, "/vehicle-fields")));
    for (const field of fields.slice(0, MAX_FIELDS)) {
      const page = await listOf(tools, fieldVehicles(field));
      yield undefined;
      const listed = new Set(idsIn(rowsOf(page), "vehicleId"));
      const lacking = isWhole(page) ? vehicles.find((id) => !listed.has(id)) : undefined;
      if (lacking === undefined || (listed.size === 0 && rowsOf(page).length > 0)) continue;
      const vehicle = await fleetOf(tools).get(`/vehicles/${pathSegment(lacking)}`, {}, { fresh: true });
      if (!isOk(vehicle)) continue;
      const reason = `A vehicle of the company is not among the ${listed.size} vehicles of a field.`;
      yield conclusiveResult({ nulls: 0, absent: 0, omitted: 1 }, reason, page, vehicle);
    }
    throw new Missing("a vehicle without a response for a field");
  },
  readings: {
    "left-out": ({ omitted }) => omitted > 0,
    "null-response": ({ nulls, absent }) => nulls > 0 && absent === 0,
    "absent-response": ({ nulls, absent }) => absent > 0 && nulls === 0,
  },
});

export const noStatusRule = experiment({
  gap: "fields.no-status-rule",
  consent: "read",
  cost: 1,
  needs: "a vehicle field with options and without status rule",
  examine: (exchange) => {
    if (exchange.operation !== "listVehicleFields" || !isOk(exchange)) return undefined;
    const fields = rowsOf(exchange).filter(({ hasStatusRule }) => hasStatusRule === false);
    const statuses = fields.flatMap(({ options }) => objectsIn(options).map(({ status }) => status));
    if (statuses.length === 0) return undefined;
    const ok = statuses.filter((status) => status === "OK").length;
    const absent = statuses.filter((status) => status === undefined).length;
    const reason = `Of ${statuses.length} options without a rule ${ok} have OK and ${absent} have no status.`;
    const observed = { ok, absent, all: statuses.length };
    return statuses.length > 1
      ? conclusiveResult(observed, reason, exchange)
      : tentativeResult(observed, reason, exchange);
  },
  observe: async function* observe(tools) {
    const page = await listOf(tools, "/vehicle-fields");
    yield undefined;
    if (!isWhole(page)) await listOf(tools, "/vehicle-fields", { page: "2" });
    throw new Missing("a vehicle field with options and without status rule");
  },
  readings: { ok: ({ ok, all }) => ok === all, absent: ({ absent, all }) => absent === all },
});
