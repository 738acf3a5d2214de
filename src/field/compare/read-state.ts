import { mockReadings } from "../../../generated/readings.ts";
import { imageStatuses, protocolStatuses } from "../../../generated/store.enums.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
import { isPathId, pathSegment } from "../../wire/path-segment.ts";
import type { ReceivedResponse } from "../sender/sender.ts";
import { type Service, ServiceError, type ServiceRequest } from "./service.ts";
import { ALL_TIME, FLEET_PATHS, STORES, largestPage, storePath } from "../routes.ts";
import { FLEET_RESOURCES, type FleetResource } from "./fleet-seed.ts";
import { ObservedState } from "./state.ts";

/** The number of pages of one list that are read. */
const MAX_PAGES = 100;

/** The number of details of one resource that are read. */
const MAX_DETAILS = 25;

/** Resources whose details have more properties than the list. */
const DETAILED: ReadonlySet<FleetResource> = new Set(["inspections", "inspectionTemplates", "damages"]);

/** The number of groups whose templates are requested. */
const MAX_GROUPS = 10;

/** Reads the data of a service: all rows of its lists, and the lists of some stores. */
export class StateReader {
  readonly state = new ObservedState();
  /** The lists that were not read completely. */
  readonly incomplete: string[] = [];
  readonly #service: Service;
  readonly #readings: Readonly<Record<string, unknown>>;

  /** @param readings those of the service, as far as they are known */
  constructor(service: Service, readings: Readonly<Record<string, unknown>>) {
    this.#service = service;
    this.#readings = readings;
  }

  /** @throws {ServiceError} if the list of stores cannot be read */
  async readStores(mostStores: number): Promise<void> {
    await this.#readPages(STORES, {}, true);
    for (const externalId of this.state.store.externalIds.slice(0, mostStores)) {
      for (const list of ["contacts", "expectations", "expositions"])
        await this.#get({ api: "store", path: storePath(externalId, list) });
      await this.#readStatuses(storePath(externalId, "protocols"), protocolStatuses);
      await this.#readStatuses(storePath(externalId, "photos"), imageStatuses);
      for (const row of this.state.store.listOf(externalId, "protocols").slice(0, MAX_DETAILS)) {
        const id = row["protocolId"] ?? row["id"];
        if (isPathId(id)) await this.#get({ api: "store", path: storePath(externalId, "protocols", id) });
      }
    }
  }

  /** gap lists.unfiltered-status */
  async #readStatuses(path: string, statuses: readonly string[]): Promise<void> {
    await this.#readPages(path, ALL_TIME, false);
    if (this.#readings["lists.unfiltered-status"] !== "completed-only") return;
    for (const status of statuses) await this.#readPages(path, { ...ALL_TIME, status }, false);
  }

  /** gaps protocols.next-page, photos.page-shape, photos.cursor-source */
  async #readPages(path: string, query: Readonly<Record<string, string>>, isNeeded: boolean): Promise<void> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const { limit } = largestPage(path);
      const response = await this.#get({ api: "store", path, query: { limit, ...query, ...more } });
      if (response.status !== 200 && isNeeded) throw refusal(path, response);
      const next = cursorIn(response.json);
      if (response.status !== 200 || next === undefined) return;
      if (seen.has(next)) break; // the parameter is ignored
      seen.add(next);
      cursor = next;
    }
    this.incomplete.push(path);
  }

  /** @throws {ServiceError} if no list can be read */
  async readFleet(): Promise<void> {
    let refused: ReceivedResponse | undefined;
    for (const resource of FLEET_RESOURCES) {
      const path = FLEET_PATHS[resource];
      const response = await this.#readNumbered(path, {});
      // gap templates.inactive
      if (resource === "inspectionTemplates") await this.#readNumbered(path, { isActive: "false" });
      if (response.status !== 200) refused ??= response;
      if (!this.state.fleet.has(resource))
        this.incomplete.push(`${path}: no list, status ${response.status}`);
      if (!DETAILED.has(resource)) continue;
      for (const { id } of this.state.fleet.rowsOf(resource).slice(0, MAX_DETAILS))
        await this.#get({ api: "fleet", path: `${path}/${pathSegment(String(id))}` });
    }
    await this.#readTemplateGroups();
    const hasList = FLEET_RESOURCES.some((resource) => this.state.fleet.has(resource));
    if (!hasList && refused !== undefined) throw refusal("the lists of the fleet API", refused);
  }

  /**
   * A list that is shorter with a group shows the templates of the group. gaps templates.get-one,
   * templates.group-filter
   */
  async #readTemplateGroups(): Promise<void> {
    const templates = this.state.fleet.rowsOf("inspectionTemplates");
    const groups = this.state.fleet.rowsOf("vehicleGroups").slice(0, MAX_GROUPS);
    if (
      templates.some((row) => row["groupIds"] !== undefined) ||
      this.state.fleet.addedProperties("inspectionTemplates").has("groupIds")
    )
      return;
    const path = FLEET_PATHS.inspectionTemplates;
    const { limit } = largestPage(path);
    for (const name of mockReadings["templates.group-filter"]) {
      for (const { id } of groups) {
        const query = { limit, [name]: String(id) };
        const { status, json } = await this.#service.send({ api: "fleet", path, query });
        const rows = objectsIn(objectOf(json)["data"]);
        if (status !== 200 || rows.length >= templates.length) break;
        for (const row of rows) this.state.fleet.addGroup(String(row["id"]), String(id));
      }
    }
  }

  async #readNumbered(path: string, filter: Readonly<Record<string, string>>): Promise<ReceivedResponse> {
    const { limit } = largestPage(path);
    for (let page = 1; ; page += 1) {
      const query = { limit, page: String(page), ...filter };
      const response = await this.#get({ api: "fleet", path, query });
      if (response.status !== 200 || !hasNextPage(response.json)) return response;
      if (page < MAX_PAGES) continue;
      this.incomplete.push(path);
      return response;
    }
  }

  async #get(request: ServiceRequest): Promise<ReceivedResponse> {
    const response = await this.#service.send(request);
    const { status, json } = response;
    if (status === 429 || status >= 500) this.incomplete.push(`${request.path}: status ${status}`);
    this.state.add({ method: "GET", ...request, status, json });
    return response;
  }
}

function refusal(description: string, { status }: ReceivedResponse): ServiceError {
  return new ServiceError(`${description}: status ${status}; the data of the service cannot be read`);
}

/** Returns the cursor that a response contains. */
export function cursorIn(json: unknown): string | undefined {
  const { nextCursor, cursor } = objectOf(json);
  const given = nextCursor ?? cursor;
  return typeof given === "string" ? given : undefined;
}

function hasNextPage(json: unknown): boolean {
  const { meta, data } = objectOf(json);
  const { hasNextPage: isMore } = objectOf(objectOf(meta)["pagination"]);
  return isMore === true && objectsIn(data).length > 0;
}
