import { fleetOperations } from "../../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../../wire/operation.ts";
import { pathSegment } from "../../../../wire/path-segment.ts";
import { control, isShown, succeeds } from "../../controls.ts";
import { bodyOf, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, isObject, objectOf, objectsIn, stringsIn } from "../../json.ts";
import { idsIn, isWhole, listOf, readableLists } from "./data.ts";

const UNDOCUMENTED: ReadonlySet<string> = new Set(
  Object.values<Operation>(fleetOperations)
    .filter(({ list }) => list?.isDocumented === false)
    .map(({ id }) => id),
);

const UNDOCUMENTED_PATHS = [
  "/vehicles",
  "/damages",
  "/inspections",
  "/vehicle-groups",
  "/driver-assignments",
];

const NEEDS_LISTS = "a key that may read two of the lists without a described shape";

export const undocumentedLists = experiment({
  gap: "lists.undocumented",
  cost: 0.6,
  needs: NEEDS_LISTS,
  assumes: "All lists without a described shape have pages, or none has.",
  everyEntity: true,
  examine: (exchange) => {
    if (!UNDOCUMENTED.has(exchange.operation ?? "") || !isOk(exchange) || exchange.query.limit === undefined)
      return undefined;
    const limit = Number(exchange.query.limit);
    // gap fleet.undocumented-responses: without an envelope only the number of rows shows it
    if (!isObject(bodyOf(exchange).meta)) return undefined;
    const pagination = paginationOf(exchange);
    const rows = rowsOf(exchange).length;
    // a list without pagination shows that it has no pages only by more rows than its limit
    if (pagination === undefined && rows <= limit && rows !== 0) return undefined;
    const isPaged = pagination !== undefined && typeof pagination.totalCount === "number";
    const reason = `${exchange.path} with a limit of ${limit} has ${rows} rows and ${isPaged ? "pagination" : "no pagination"}.`;
    const isConsistent = control("the rows agree with the pagination", rows > 0 && isPaged === rows <= limit);
    return observation(exchange.path, isPaged, reason, [isConsistent], exchange);
  },
  observe: async function* observe(tools) {
    for await (const page of readableLists(tools, UNDOCUMENTED_PATHS)) {
      yield undefined;
      if (paginationOf(page) !== undefined || rowsOf(page).length < 2) continue;
      const one = await tools.ask(fleetOf(tools), page.path, { limit: "1" });
      if (isObject(bodyOf(page).meta)) {
        yield undefined;
        continue;
      }
      const rows = rowsOf(one).length;
      const reason = `${page.path} with a limit of 1 has ${rows} rows.`;
      const isAll = control("the list has one row or all rows", rows === 1 || rows >= rowsOf(page).length);
      yield observation(page.path, rows === 1, reason, [succeeds(one), isAll], page, one);
    }
    throw new Missing("lists that say how many rows there are");
  },
  readings: { paged: (isPaged) => isPaged, whole: (isPaged) => !isPaged },
});

export const undocumentedResponses = experiment({
  gap: "fleet.undocumented-responses",
  cost: 1,
  needs: NEEDS_LISTS,
  assumes: "All operations without a described shape have the envelope, or none has.",
  everyEntity: true,
  examine: (exchange) => {
    if (!UNDOCUMENTED.has(exchange.operation ?? "") || !isOk(exchange)) return undefined;
    const { data, meta } = bodyOf(exchange);
    const isEnvelope = Array.isArray(data) && isObject(meta);
    const reason = `${exchange.path} ${isEnvelope ? "has" : "lacks"} data and meta.`;
    const hasList = control(
      "the response has a list",
      isEnvelope || Array.isArray(exchange.json) || rowsOf(exchange).length > 0,
    );
    return observation(exchange.path, isEnvelope, reason, [hasList], exchange);
  },
  observe: async function* observe(tools) {
    for await (const _ of readableLists(tools, UNDOCUMENTED_PATHS)) yield undefined;
    throw new Missing(NEEDS_LISTS);
  },
  readings: { envelope: (isEnvelope) => isEnvelope, anything: (isEnvelope) => !isEnvelope },
});

export const unsentFilters = experiment({
  gap: "fleet.unsent-filters",
  cost: 1,
  needs: "a vehicle field",
  assumes: "Both lists with meta.filters return a filter that was not sent in the same way.",
  everyEntity: true,
  examine: (exchange) => {
    if (!["listVehicleFields", "listVehicleFieldVehicles"].includes(exchange.operation ?? ""))
      return undefined;
    if (!isOk(exchange) || exchange.query.search !== undefined) return undefined;
    const { meta } = bodyOf(exchange);
    const { search } = objectOf(objectOf(meta).filters);
    // the service may remember the filter of an earlier page: gap lists.filters-across-pages
    if (typeof search === "string" && search !== "") return undefined;
    const reason = `meta.filters.search is ${search === undefined ? "missing" : JSON.stringify(search)}.`;
    const hasMeta = control("the response has meta", isObject(meta));
    return observation(exchange.operation ?? "", { search }, reason, [hasMeta], exchange);
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

const NO_RESPONSE = "a vehicle of a group of a field, without a response for it";

export const noResponse = experiment({
  gap: "fields.no-response",
  cost: 1,
  needs: NO_RESPONSE,
  assumes: "The vehicles of the groups of a field belong to it, and groupIds of a vehicle are its groups.",
  everyEntity: true,
  examine: (exchange) => {
    if (exchange.operation !== "listVehicleFieldVehicles" || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row.latestResponse === null).length;
    const absent = rows.filter((row) => row.latestResponse === undefined).length;
    if (nulls + absent === 0) return undefined;
    const reason = `latestResponse is null for ${nulls} and missing for ${absent} of ${rows.length} vehicles.`;
    return observation(exchange.path, { nulls, absent, omitted: 0 }, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    const vehicles = rowsOf(await listOf(tools, "/vehicles"));
    const fields = rowsOf(await listOf(tools, "/vehicle-fields"));
    const ids = unseenFirst(tools, idsIn(fields).map(fieldVehicles));
    for (const path of ids.slice(0, MAX_FIELDS)) {
      const page = await listOf(tools, path);
      yield undefined;
      const field = fields.find(({ id }) => fieldVehicles(String(id)) === path);
      const listed = new Set(idsIn(rowsOf(page), "vehicleId"));
      const own = isWhole(page) ? vehicles.filter((one) => sharesGroup(one, field)) : [];
      const lacking = idsIn(own).find((id) => !listed.has(id));
      if (lacking === undefined) continue;
      const again = await listOf(tools, path, {}, { fresh: true });
      const vehicle = await fleetOf(tools).get(`/vehicles/${pathSegment(lacking)}`, {}, { fresh: true });
      const reason = `A vehicle of a group of a field is not among its ${listed.size} vehicles.`;
      const isPositive = control(
        "another vehicle of its groups is listed",
        idsIn(own).some((id) => listed.has(id)),
      );
      const ends = idsIn(rowsOf(again), "vehicleId");
      const isStill = control("the list stays the same", String(ends) === String([...listed]));
      const controls = [isPositive, isStill, succeeds(vehicle)] as const;
      yield observation(path, { nulls: 0, absent: 0, omitted: 1 }, reason, controls, page, vehicle, again);
    }
    throw new Missing(NO_RESPONSE);
  },
  readings: {
    "left-out": ({ omitted }) => omitted > 0,
    "null-response": ({ nulls, absent }) => nulls > 0 && absent === 0,
    "absent-response": ({ nulls, absent }) => absent > 0 && nulls === 0,
  },
});

function sharesGroup(vehicle: JsonObject, field: JsonObject | undefined): boolean {
  const groups = stringsIn(field?.groupIds);
  return stringsIn(vehicle.groupIds).some((id) => groups.includes(id));
}

export const noStatusRule = experiment({
  gap: "fields.no-status-rule",
  cost: 1,
  needs: "two vehicle fields with options and without status rule",
  assumes: "Two fields show how all fields without a rule are returned.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const page = await tools.ask(fleetOf(tools), "/vehicle-fields", { limit: "100" });
    const fields = rowsOf(page).filter(({ hasStatusRule }) => hasStatusRule === false);
    for (const id of unseenFirst(tools, idsIn(fields))) {
      const field = fields.find((one) => one.id === id) ?? {};
      const statuses = objectsIn(field.options).map(({ status }) => status);
      if (statuses.length === 0) continue;
      const ok = statuses.filter((status) => status === "OK").length;
      const absent = statuses.filter((status) => status === undefined).length;
      const reason = `Of ${statuses.length} options without a rule ${ok} have OK and ${absent} have no status.`;
      const observed = { ok, absent, all: statuses.length };
      yield observation(id, observed, reason, [succeeds(page)], page);
    }
    throw new Missing("two vehicle fields with options and without status rule");
  },
  readings: { ok: ({ ok, all }) => ok === all, absent: ({ absent, all }) => absent === all },
});
