import { isPathId, pathSegment } from "../../wire/path-segment.ts";
import { FLEET_PATHS, maxLimit } from "../routes.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "./exchange.ts";
import type { Budget } from "../sender/budget.ts";
import { NoEvidence } from "../sender/failures.ts";
import { Missing } from "./failures.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Service } from "./service.ts";
import type { Ledger } from "./ledger.ts";
import { attempt, deleteCreated } from "./restore.ts";

/** A resource that this run created in the sandbox. */
export interface CreatedResource {
  readonly list: string;
  readonly path: string;
  readonly body: JsonObject;
  readonly exchange: Exchange;
}

/** The number of pages of a list that are searched for resources of a run. */
const MAX_PAGES = 20;

/** Writes to the fleet API's sandbox. It changes and deletes only resources that it created. */
export class Sandbox {
  readonly service: Service;
  readonly #ledger: Ledger;
  readonly #budget: Budget;
  readonly #marker: string;
  readonly #remaining = new Set<string>();
  /** The lists in which a request without a response may have created a resource. */
  readonly #uncertainLists = new Set<string>();
  /** The lists whose rows show the marker. */
  readonly #markedLists = new Set<string>();

  constructor(service: Service, marker: string, ledger: Ledger, budget: Budget) {
    this.service = service;
    this.#budget = budget;
    this.#marker = marker;
    this.#ledger = ledger;
  }

  /** Creates a row. @throws {Missing} if the service rejects it */
  async create(list: string, body: JsonObject): Promise<CreatedResource> {
    const { exchange, path } = await this.post(list, body);
    if (!isOk(exchange)) throw new Missing(`a body that POST ${list} takes`);
    if (path === undefined) throw new Missing(`an id in the response to POST ${list}`);
    return { list, path, body, exchange };
  }

  /**
   * Sends a POST. The body contains the run's marker, so that the row can be found again. `path` is that of the created
   * row.
   */
  async post(list: string, body: JsonObject): Promise<{ exchange: Exchange; path: string | undefined }> {
    await this.#ledger.append({ type: "write", as: "sandbox", method: "POST", path: list });
    const wasUncertain = this.#uncertainLists.has(list);
    this.#uncertainLists.add(list);
    const { writes } = this.#budget;
    const exchange = await this.service.send({ method: "POST", path: list, body }).catch((error: unknown) => {
      // a POST that was not sent created nothing
      if (!wasUncertain && this.#budget.writes === writes) this.#uncertainLists.delete(list);
      throw error;
    });
    if (!exchange.isEvidence) throw new NoEvidence(`POST ${list}: status ${exchange.status} is not evidence`);
    if (!wasUncertain) this.#uncertainLists.delete(list);
    if (!isOk(exchange)) return { exchange, path: undefined };
    const { id } = dataOf(exchange);
    if (!isPathId(id)) {
      this.#uncertainLists.add(list);
      return { exchange, path: undefined };
    }
    if (JSON.stringify(exchange.json).includes(this.#marker)) this.#markedLists.add(list);
    const path = `${list}/${pathSegment(id)}`;
    this.#remaining.add(path);
    await this.#ledger.append({ type: "created", path, list });
    return { exchange, path };
  }

  /** Changes a row that this run created. */
  async change(
    method: "PUT" | "PATCH",
    { path }: CreatedResource,
    body: JsonObject,
    contentType?: string,
  ): Promise<Exchange> {
    return this.#send({ method, path, body, ...(contentType !== undefined && { contentType }) });
  }

  /** Deletes a row that this run created. */
  async delete({ path }: CreatedResource): Promise<Exchange> {
    const exchange = await this.#send({ method: "DELETE", path });
    if (isOk(exchange)) {
      this.#remaining.delete(path);
      await this.#ledger.append({ type: "undone", path });
    }
    return exchange;
  }

  async #send(spec: {
    method: string;
    path: string;
    body?: JsonObject;
    contentType?: string;
  }): Promise<Exchange> {
    await this.#ledger.append({ type: "write", as: "sandbox", method: spec.method, path: spec.path });
    const exchange = await this.service.send(spec);
    if (exchange.isEvidence || exchange.status === 415) return exchange;
    throw new NoEvidence(`${spec.method} ${spec.path}: status ${exchange.status} is not evidence`);
  }

  /** The number of requests that restoring the sandbox needs. */
  get pending(): number {
    return this.#remaining.size + this.#uncertainLists.size;
  }

  /** Deletes the resources that this run created. Returns those that remain. */
  async restore(): Promise<string[]> {
    const unread: string[] = [];
    for (const list of this.#uncertainLists) {
      const found = await findMarked(this.service, list, this.#marker);
      const isSure = found !== undefined && (found.length > 0 || this.#markedLists.has(list));
      if (!isSure) unread.push(`perhaps a row of ${list} of the sandbox with "${this.#marker}"`);
      for (const path of found ?? []) this.#remaining.add(path);
    }
    // a resource may belong to an earlier one: gap fleet.delete-dependents
    for (const path of [...this.#remaining].toReversed()) {
      if (!(await deleteCreated(this.service, path))) continue;
      this.#remaining.delete(path);
      await this.#ledger.append({ type: "undone", path });
    }
    return [...unread, ...[...this.#remaining].map((path) => `${path} of the sandbox`)];
  }
}

/** Returns the paths of the rows of a list that contain a marker; `undefined` if the list could not be read. */
export async function findMarked(
  service: Service,
  list: string,
  marker: string,
): Promise<string[] | undefined> {
  // gap templates.inactive
  const filters = list === FLEET_PATHS.inspectionTemplates ? [{}, { isActive: "false" }] : [{}];
  const found = new Set<string>();
  for (const filter of filters) {
    const rows = await allRows(service, list, filter);
    if (rows === undefined) return undefined;
    for (const row of rows) {
      if (isPathId(row.id) && JSON.stringify(row).includes(marker))
        found.add(`${list}/${pathSegment(row.id)}`);
    }
  }
  return [...found];
}

async function allRows(
  service: Service,
  list: string,
  filter: Readonly<Record<string, string>>,
): Promise<JsonObject[] | undefined> {
  const rows: JsonObject[] = [];
  const limit = maxLimit(list);
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { ...filter, limit: String(limit), page: String(page) };
    const exchange = await attempt(() => service.send({ method: "GET", path: list, query, isCleanup: true }));
    if (exchange === undefined || !exchange.isEvidence || !isOk(exchange)) return page > 1 ? rows : undefined;
    const next = rowsOf(exchange);
    rows.push(...next);
    if (next.length !== limit) break;
  }
  return rows;
}
