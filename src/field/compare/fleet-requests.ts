import { pathSegment } from "../../wire/path-segment.ts";
import { FLEET_PATHS } from "./read-state.ts";
import type { ServiceRequest } from "./service.ts";
import type { Session } from "./session.ts";
import type { FleetResource, ObservedState } from "./state.ts";

/** The number of rows of each resource whose details are compared. */
const MAX_DETAILS = 10;

const UNKNOWN_ID = "11111111-1111-4111-8111-111111111111";

type Extra = Pick<ServiceRequest, "query" | "version">;

const get = (path: string, extra: Extra = {}): ServiceRequest => ({ api: "fleet", path, ...extra });

/** Compares the GETs of the fleet API. */
export async function compareFleet(session: Session, state: ObservedState): Promise<void> {
  const resources = (Object.keys(FLEET_PATHS) as FleetResource[]).filter((resource) => state.has(resource));
  for (const resource of resources) {
    session.ignored = state.addedProperties(resource);
    await compareList(session, FLEET_PATHS[resource]);
    session.ignored = new Set();
    await compareDetails(session, state, resource);
  }
  if (state.has("inspectionTemplates")) await compareTemplates(session, state);
  if (state.has("vehicleFields")) await compareFields(session, state);
}

async function compareList(session: Session, path: string): Promise<void> {
  const queries = [
    {},
    { limit: "100" },
    { limit: "2" },
    { limit: "2", page: "2" },
    { limit: "1", page: "9999" },
    { limit: "0" },
    { limit: "101" },
    { limit: "2", page: "0" },
    { limit: "1", shelfleetCompare: "1" },
  ];
  for (const query of queries) await session.send(get(path, { query }));
  await session.send(get(path, { query: { limit: "1" }, version: null }));
  await session.send(get(path, { query: { limit: "1" }, version: "v99" }));
}

/** Resources without a path for one row. */
const LISTED_ONLY: ReadonlySet<FleetResource> = new Set(["vehicleFields"]);

async function compareDetails(
  session: Session,
  state: ObservedState,
  resource: FleetResource,
): Promise<void> {
  if (LISTED_ONLY.has(resource)) return;
  const path = FLEET_PATHS[resource];
  for (const { id } of state.rowsOf(resource).slice(0, MAX_DETAILS))
    await session.send(get(`${path}/${pathSegment(String(id))}`));
  for (const id of [UNKNOWN_ID, "not-a-uuid"]) await session.send(get(`${path}/${id}`));
}

/** Returns a string to search for. */
function textOf(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "a";
}

/** Returns a text, a part of it, and its words in another order. gap fleet.search */
function searchesFor(text: string): string[] {
  return [text, text.slice(1), text.split(" ").toReversed().join(" ")];
}

/** gaps templates.group-filter, templates.title-filter, templates.inactive */
async function compareTemplates(session: Session, state: ObservedState): Promise<void> {
  const path = FLEET_PATHS.inspectionTemplates;
  const [group] = state.rowsOf("vehicleGroups");
  const title = textOf(state.rowsOf("inspectionTemplates")[0]?.["title"]);
  for (const name of ["vehicleGroupId", "groupId", "vehicleGroup"])
    for (const value of [UNKNOWN_ID, ...(group === undefined ? [] : [String(group["id"])])])
      await session.send(get(path, { query: { [name]: value } }));
  for (const name of ["search", "title"])
    for (const value of [title, "shelfleet-compare-nothing"])
      await session.send(get(path, { query: { [name]: value } }));
  for (const isActive of ["true", "false", "perhaps"]) await session.send(get(path, { query: { isActive } }));
}

async function compareFields(session: Session, state: ObservedState): Promise<void> {
  const path = FLEET_PATHS.vehicleFields;
  const rows = state.rowsOf("vehicleFields");
  const plate = textOf(state.rowsOf("vehicles")[0]?.["plateNumber"]);
  // gap lists.filters-across-pages
  await session.send(get(path, { query: { limit: "1", page: "1", search: "shelfleet-compare-nothing" } }));
  await session.send(get(path, { query: { limit: "1", page: "2" } }));
  for (const search of searchesFor(textOf(rows[0]?.["label"])))
    await session.send(get(path, { query: { search } }));
  const withoutRule = rows.filter((row) => row["hasStatusRule"] === false).slice(0, 1);
  for (const { id } of [...rows.slice(0, 3), ...withoutRule]) {
    const entries = `${path}/${pathSegment(String(id))}/vehicles`;
    await session.send(get(entries, { query: { limit: "100" } }));
    await session.send(get(entries, { query: { limit: "1", page: "2" } }));
    for (const status of ["OK", "WARNING", "NOT_OK", "BROKEN"])
      await session.send(get(entries, { query: { status } }));
    for (const search of ["shelfleet-compare-nothing", ...searchesFor(plate)])
      await session.send(get(entries, { query: { search } }));
  }
  await session.send(get(`${path}/${UNKNOWN_ID}/vehicles`));
}
