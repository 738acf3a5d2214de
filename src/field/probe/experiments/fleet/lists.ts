import { fleetOperations } from "../../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../../wire/operation.ts";
import { isPathId, pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS, type OperationId, largestPage } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { bodyOf, dataOf, paginationOf, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, openParts, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, isObject, objectOf, objectsIn, stringsIn } from "../../../../wire/json.ts";
import {
  FIELDS,
  UNDOCUMENTED,
  fieldVehicles,
  firstIdIn,
  idsIn,
  isWhole,
  listOf,
  readableLists,
} from "./data.ts";

/** The lists without a described shape. */
const UNDOCUMENTED_IDS = Object.values(fleetOperations)
  .filter(({ list }: Operation) => list?.isDocumented === false)
  .map(({ id }) => id);

const NEEDS_LISTS = "a key that may read two of the lists without a described shape";

export const undocumentedLists = experiment({
  gap: "lists.undocumented",
  cost: 1.6,
  needs: NEEDS_LISTS,
  assumes: "All lists without a described shape have pages, or none has.",
  parts: UNDOCUMENTED,
  shownBy: UNDOCUMENTED_IDS,
  examine: (exchange) => {
    // gap fleet.undocumented-responses: without an envelope only the number of rows shows it
    if (exchange.query.limit === undefined || !isObject(bodyOf(exchange).meta)) return undefined;
    const limit = Number(exchange.query.limit);
    const pagination = paginationOf(exchange);
    const rows = rowsOf(exchange).length;
    // a list without pagination shows that it has no pages only by more rows than its limit
    if (pagination === undefined && rows <= limit && rows !== 0) return undefined;
    const isPaged = pagination !== undefined && typeof pagination.totalCount === "number";
    const reason = `${exchange.path} with a limit of ${limit} has ${rows} rows and ${isPaged ? "pagination" : "no pagination"}.`;
    const isConsistent = control("the rows agree with the pagination", rows > 0 && isPaged === rows <= limit);
    return { observed: isPaged, reason, controls: [isConsistent] };
  },
  observe: async function* observe(tools) {
    for await (const page of readableLists(tools, UNDOCUMENTED)) {
      yield undefined;
      if (paginationOf(page) !== undefined || rowsOf(page).length < 2) continue;
      const short = await tools.ask(fleetOf(tools), page.path, { limit: "1" });
      if (isObject(bodyOf(page).meta)) {
        yield undefined;
        continue;
      }
      const rows = rowsOf(short).length;
      const reason = `${page.path} with a limit of 1 has ${rows} rows.`;
      const isAll = rows === 1 || rows >= rowsOf(page).length;
      const controls = [control("the list has one row or all rows", isAll, page), succeeds(short)] as const;
      yield observation(page.path, rows === 1, reason, controls);
    }
    throw new Missing("lists that say how many rows there are");
  },
  readings: { paged: true, whole: false },
});

/** The entities whose response has no described shape, and their lists. */
const ENTITIES: Readonly<Record<string, string>> = {
  "a vehicle": FLEET_PATHS.vehicles,
  "a vehicle group": FLEET_PATHS.vehicleGroups,
  "a driver assignment": FLEET_PATHS.driverAssignments,
};

/** The operations that return what they wrote. */
const WRITES: readonly OperationId[] = Object.values(fleetOperations)
  .filter(({ method }) => method === "POST" || method === "PUT" || method === "PATCH")
  .map(({ id }) => id);

/** The part of the question that only a run with writes sees. */
const WRITTEN = "a write";

export const undocumentedResponses = experiment({
  gap: "fleet.undocumented-responses",
  cost: 1,
  needs: "a key that may read all lists without a described shape and their rows, and writes to the sandbox",
  assumes: "All operations without a described shape have the envelope, or none has.",
  parts: [...UNDOCUMENTED, ...Object.keys(ENTITIES), WRITTEN],
  shownBy: [...UNDOCUMENTED_IDS, "getVehicle", "getVehicleGroup", "getDriverAssignment", ...WRITES],
  examine: (exchange) => {
    const { data, meta } = bodyOf(exchange);
    const { method, path } = exchange;
    const isRead = method === "GET";
    const isList = isRead && UNDOCUMENTED.includes(path);
    const isEnvelope = (isList ? Array.isArray(data) : isObject(data)) && isObject(meta);
    const reason = `${method} ${path} ${isEnvelope ? "has" : "lacks"} data and meta.`;
    const isThere = isList
      ? Array.isArray(exchange.json) || rowsOf(exchange).length > 0
      : isPathId(dataOf(exchange).id);
    const controls = [control("the response has rows or an entity", isEnvelope || isThere)] as const;
    const entity = Object.keys(ENTITIES).find((name) => path.startsWith(`${ENTITIES[name]}/`));
    const subject = isList ? path : isRead ? entity : WRITTEN;
    return { ...(subject !== undefined && { subject }), observed: isEnvelope, reason, controls };
  },
  observe: async function* observe(tools) {
    for await (const _ of readableLists(tools, UNDOCUMENTED)) yield undefined;
    // the first round asks as little as possible
    for (const list of Object.values(ENTITIES).slice(0, tools.round === 1 ? 1 : undefined)) {
      const id = await firstIdIn(tools, list, "a row of each list");
      await fleetOf(tools).get(`${list}/${pathSegment(id)}`);
      yield undefined;
    }
  },
  readings: { envelope: true, anything: false },
});

export const unsentFilters = experiment({
  gap: "fleet.unsent-filters",
  cost: 1,
  needs: "a vehicle field",
  assumes: "Both lists with meta.filters return a filter that was not sent in the same way.",
  parts: ["listVehicleFields", "listVehicleFieldVehicles"],
  shownBy: ["listVehicleFields", "listVehicleFieldVehicles"],
  examine: (exchange) => {
    const { operation, query } = exchange;
    const { meta } = bodyOf(exchange);
    const filters = objectOf(objectOf(meta).filters);
    const names = operation === "listVehicleFields" ? ["search"] : ["search", "status"];
    const values = names.map((name) => filters[name]);
    // the service may remember the filter of an earlier page: gap lists.filters-across-pages
    const isSent = values.some((value) => typeof value === "string" && value !== "");
    if (isSent || names.some((name) => query[name] !== undefined)) return undefined;
    const shown = values.map((value) => (value === undefined ? "missing" : JSON.stringify(value)));
    const reason = `${names.join(" and ")} in meta.filters: ${shown.join(" and ")}.`;
    const hasMeta = control("the response has meta", isObject(meta));
    return { subject: operation ?? "", observed: values, reason, controls: [hasMeta] };
  },
  observe: async function* observe(tools) {
    await listOf(tools, FIELDS);
    yield undefined;
    await listOf(tools, fieldVehicles(await firstIdIn(tools, FIELDS, "a vehicle field")));
    yield undefined;
  },
  readings: {
    "null-value": (values) => values.every((value) => value === null),
    absent: (values) => values.every((value) => value === undefined),
    "empty-string": (values) => values.every((value) => value === ""),
  },
});

/** The number of fields that are examined. */
const MAX_FIELDS = 2;

/** Returns a vehicle of a group of a field that the list of its vehicles leaves out, if another one is listed. */
function findLeftOut(
  vehicles: readonly JsonObject[],
  field: JsonObject | undefined,
  listed: readonly string[],
): { id: string | undefined; hasListed: boolean } {
  const groups = stringsIn(field?.groupIds);
  const own = idsIn(vehicles.filter(({ groupIds }) => stringsIn(groupIds).some((id) => groups.includes(id))));
  return {
    id: own.find((id) => !listed.includes(id)),
    hasListed: own.some((id) => listed.includes(id)),
  };
}

export const noResponse = experiment({
  gap: "fields.no-response",
  cost: 2,
  chance: 0.85,
  needs: "a vehicle of a group of a field, without a response for it",
  assumes: "The vehicles of the groups of a field belong to it, and groupIds of a vehicle are its groups.",
  everyEntity: true,
  shownBy: ["listVehicleFieldVehicles"],
  examine: (exchange) => {
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row.latestResponse === null).length;
    const absent = rows.filter((row) => row.latestResponse === undefined).length;
    if (nulls + absent === 0) return undefined;
    const reason = `latestResponse is null for ${nulls} and missing for ${absent} of ${rows.length} vehicles.`;
    return { observed: { nulls, absent, isLeftOut: false }, reason };
  },
  observe: async function* observe(tools: ExperimentTools) {
    const vehicles = rowsOf(await listOf(tools, FLEET_PATHS.vehicles));
    const fields = rowsOf(await listOf(tools, FIELDS));
    const paths = unseenFirst(tools, idsIn(fields).map(fieldVehicles));
    for (const path of paths.slice(0, MAX_FIELDS)) {
      const page = await listOf(tools, path);
      yield undefined;
      const field = fields.find(({ id }) => fieldVehicles(String(id)) === path);
      const listed = idsIn(rowsOf(page), "vehicleId");
      const { id, hasListed } = findLeftOut(vehicles, field, listed);
      if (id === undefined || !isWhole(page)) continue;
      const again = await listOf(tools, path, {}, { fresh: true });
      const vehicle = await fleetOf(tools).get(
        `${FLEET_PATHS.vehicles}/${pathSegment(id)}`,
        {},
        { fresh: true },
      );
      const reason = `A vehicle of a group of a field is not among its ${listed.length} vehicles.`;
      const isSame = String(idsIn(rowsOf(again), "vehicleId")) === String(listed);
      const isPositive = control("another vehicle of its groups is listed", hasListed, page);
      const isStill = control("the list stays the same", isSame, again);
      const observed = { nulls: 0, absent: 0, isLeftOut: true };
      yield observation(path, observed, reason, [isPositive, succeeds(vehicle), isStill]);
    }
  },
  readings: {
    "left-out": { isLeftOut: true },
    "null-response": ({ nulls, absent }) => nulls > 0 && absent === 0,
    "absent-response": ({ nulls, absent }) => absent > 0 && nulls === 0,
  },
});

export const noStatusRule = experiment({
  gap: "fields.no-status-rule",
  cost: 1,
  needs: "a vehicle field with options and vehicles, and without status rule",
  assumes: "One field shows how all fields without a rule are returned.",
  parts: ["options", "vehicles"],
  observe: async function* observe(tools) {
    const page = await tools.ask(fleetOf(tools), FIELDS, largestPage(FIELDS));
    for (const { id, options } of rowsOf(page).filter(({ hasStatusRule }) => hasStatusRule === false)) {
      // the first round asks as little as possible
      for (const part of tools.round === 1 ? ["options"] : openParts(tools, ["options", "vehicles"])) {
        const isOptions = part === "options";
        const shown = isOptions
          ? page
          : await tools.ask(fleetOf(tools), fieldVehicles(String(id)), largestPage(FIELDS));
        const statuses = (isOptions ? objectsIn(options) : rowsOf(shown)).map(({ status }) => status);
        yield undefined;
        if (statuses.length === 0) continue;
        const ok = statuses.filter((status) => status === "OK").length;
        const absent = statuses.filter((status) => status === undefined).length;
        const reason = `Of ${statuses.length} ${part} of a field without a rule ${ok} have OK and ${absent} have no status.`;
        yield observation(part, { ok, absent, all: statuses.length }, reason, [succeeds(shown)]);
      }
    }
  },
  readings: { ok: ({ ok, all }) => ok === all, absent: ({ absent, all }) => absent === all },
});
