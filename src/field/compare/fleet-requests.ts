import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { fieldStatuses } from "../../../generated/fleet.enums.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { pathSegment } from "../../wire/path-segment.ts";
import type { ServiceRequest } from "./service.ts";
import type { Session } from "./session.ts";
import { FLEET_PATHS, largestPage, maxLimit } from "../routes.ts";
import { FLEET_RESOURCES } from "./fleet-seed.ts";
import type { ObservedFleet } from "./fleet-state.ts";

/** The number of rows of each resource whose details are compared. */
const MAX_DETAILS = 10;

const UNKNOWN_ID = "11111111-1111-4111-8111-111111111111";

type Extra = Pick<ServiceRequest, "query" | "version">;

const get = (path: string, extra: Extra = {}): ServiceRequest => ({ api: "fleet", path, ...extra });

/** Compares the GETs of the fleet API. */
export async function compareFleet(session: Session, fleet: ObservedFleet): Promise<void> {
  const resources = FLEET_RESOURCES.filter((resource) => fleet.has(resource));
  for (const resource of resources) {
    const path = FLEET_PATHS[resource];
    session.ignored = fleet.addedProperties(resource);
    for (const extra of listRequests(path)) await session.send(get(path, extra));
    session.ignored = new Set();
    if (resource === "vehicleFields") continue; // it has no path for one row
    const ids = fleet.rowsOf(resource).map(({ id }) => pathSegment(String(id)));
    for (const id of [...ids.slice(0, MAX_DETAILS), UNKNOWN_ID, "not-a-uuid"])
      await session.send(get(`${path}/${id}`));
  }
  if (fleet.has("inspectionTemplates"))
    for (const query of templateQueries(fleet))
      await session.send(get(FLEET_PATHS.inspectionTemplates, { query }));
  if (fleet.has("vehicleFields")) for (const request of fieldRequests(fleet)) await session.send(request);
}

/** The requests of the list at a path. */
const listRequests = (path: string): readonly Extra[] => [
  {},
  { query: largestPage(path) },
  { query: { limit: "2" } },
  { query: { limit: "2", page: "2" } },
  { query: { limit: "1", page: "9999" } },
  { query: { limit: "0" } },
  { query: { limit: String(maxLimit(path) + 1) } },
  { query: { limit: "2", page: "0" } },
  { query: { limit: "1", shelfleetCompare: "1" } },
  { query: { limit: "1" }, version: null },
  { query: { limit: "1" }, version: "v99" },
];

/** A text that no row has. */
const NOTHING = "shelfleet-compare-nothing";

/** Returns a string to search for. */
function textOf(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "a";
}

/** Returns a text, a part of it, and its words in another order. gap fleet.search */
function searchesFor(value: unknown): { search: string }[] {
  const text = textOf(value);
  return [text, text.slice(1), text.split(" ").toReversed().join(" ")].map((search) => ({ search }));
}

/** gaps templates.group-filter, templates.title-filter, templates.inactive */
function templateQueries(fleet: ObservedFleet): Record<string, string>[] {
  const groups = fleet.rowsOf("vehicleGroups").slice(0, 1);
  const title = textOf(fleet.rowsOf("inspectionTemplates")[0]?.["title"]);
  const filters = [
    {
      names: mockReadings["templates.group-filter"],
      values: [UNKNOWN_ID, ...groups.map(({ id }) => String(id))],
    },
    { names: mockReadings["templates.title-filter"], values: [title, NOTHING] },
    { names: ["isActive"], values: ["true", "false", "perhaps"] },
  ];
  return filters.flatMap(({ names, values }) =>
    names.flatMap((name) => values.map((value) => ({ [name]: value }))),
  );
}

function fieldRequests(fleet: ObservedFleet): ServiceRequest[] {
  const path = FLEET_PATHS.vehicleFields;
  const rows = fleet.rowsOf("vehicleFields");
  const plateNumber = fleet.rowsOf("vehicles")[0]?.["plateNumber"];
  const withoutRule = rows.filter((row) => row["hasStatusRule"] === false).slice(0, 1);
  const queries = [
    // gap lists.filters-across-pages
    { limit: "1", page: "1", search: NOTHING },
    { limit: "1", page: "2" },
    ...searchesFor(rows[0]?.["label"]),
  ];
  const entryQueries = [
    { limit: String(fleetOperations.listVehicleFieldVehicles.query.limit.maximum) },
    { limit: "1", page: "2" },
    ...[...fieldStatuses, "BROKEN"].map((status) => ({ status })),
    { search: NOTHING },
    ...searchesFor(plateNumber),
  ];
  return [
    ...queries.map((query) => get(path, { query })),
    ...[...rows.slice(0, 3), ...withoutRule].flatMap(({ id }) =>
      entryQueries.map((query) => get(`${path}/${pathSegment(String(id))}/vehicles`, { query })),
    ),
    get(`${path}/${UNKNOWN_ID}/vehicles`),
  ];
}
