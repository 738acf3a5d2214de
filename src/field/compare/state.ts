import { isObject, objectOf } from "../../wire/json.ts";
import type { ReferenceServerOptions } from "../../mock/index.ts";
import { findRoute, type OperationId } from "../routes.ts";
import { ObservedFleet } from "./fleet-state.ts";
import type { RecordedQuery } from "./recorded-list.ts";
import { RecordedResponses } from "./recorded-responses.ts";
import { ObservedStores } from "./store-state.ts";

/** A response that contains rows. */
export interface ObservedResponse {
  readonly api: "store" | "fleet";
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query?: RecordedQuery | undefined;
  readonly status: number;
  readonly json: unknown;
}

/** The options that contain the rows. */
export type SeedOptions = Required<Pick<ReferenceServerOptions, "store" | "fleet">>;

/** Collects rows from responses and turns them into the seed of a reference server. */
export class ObservedState {
  readonly store = new ObservedStores();
  readonly fleet = new ObservedFleet();
  /** The responses that a server with these rows can return again. */
  readonly responses = new RecordedResponses();
  /** The number of reads without an error that the contract does not describe: another path, or another status than 200. */
  undescribed = 0;

  /** Adds a response. Later responses replace earlier ones. */
  add({ api, method, path, query = {}, status, json }: ObservedResponse): void {
    const { operation, params } = findRoute(api, method, path);
    const isRead = status === 200 && json !== undefined;
    const isDescribed = operation !== undefined && status === 200;
    if (method === "GET" && status < 400 && !isDescribed) this.undescribed += 1;
    if (operation === undefined) return;
    const read = { api, operation, params, query, json };
    if (method !== "GET" && status < 300) this.responses.forget(api);
    else if (isRead) this.responses.add(read);
    if (isGone(method, status, operation, json)) {
      if (this[api].remove(path, params)) this.responses.forget(api);
    } else if (isRead) {
      const gone = api === "store" ? this.store.add(read) : this.fleet.add(method, path, read);
      // a list that has lost rows shows that the service changed
      if (gone.length > 0) this.responses.forget(api, read);
    }
  }

  /** Whether the list of stores has cursors that a server with these stores would not know. */
  get hasOpaqueCursors(): boolean {
    const known = new Set(this.store.externalIds);
    return this.responses.cursorsOf("listStores").some((cursor) => !known.has(cursor));
  }

  /** Returns the options of a server with these rows and readings. The server generates the other data. */
  seed(readings: Readonly<Record<string, unknown>> = {}): SeedOptions {
    return {
      // rows of responses, checked against the strict schemas
      store: (this.store.seed(readings) ?? {}) as SeedOptions["store"],
      fleet: this.fleet.seed(readings),
    };
  }

  /** Returns the lists of which no response is known, and the values that `seed` had to invent. */
  get invented(): string[] {
    return [...(this.store.isSeen ? [] : ["stores"]), ...this.fleet.unseen, ...this.store.invented];
  }
}

/** Whether a response shows that the entity of its path is deleted. */
function isGone(method: string, status: number, operation: OperationId, json: unknown): boolean {
  // a released assignment may still be listed
  if (method === "DELETE") return status >= 200 && status < 300 && operation !== "releaseDriverAssignment";
  // a 404 without the API's form of an error is that of a gateway
  const { error, errors } = objectOf(json);
  const isError = isObject(error) || Array.isArray(errors);
  // gap templates.get-one: a service may have no such path
  return method === "GET" && status === 404 && isError && operation !== "getInspectionTemplate";
}
