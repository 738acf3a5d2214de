import type * as z from "zod/mini";
import { safeParse } from "zod/mini";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import * as schemas from "../../../generated/fleet.schemas.ts";
import type { JsonObject, Pagination, Scope } from "../../../generated/fleet.ts";
import {
  type ReadingsOption,
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../../src/mock/index.ts";

/** A response in the form that tests compare. */
export interface FleetResponse {
  status: number;
  /** The whole body; `undefined` without a body. */
  body: JsonObject | undefined;
  data: unknown;
  meta: JsonObject;
  errors: JsonObject[];
}

/** The parts of a request in addition to its operation. */
export interface Carried {
  id?: string;
  query?: Record<string, string | number>;
  body?: unknown;
  /** A body that is sent unchanged, instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
  base?: "production" | "sandbox";
  /** The key, instead of the server's own key of the environment. */
  key?: string;
}

/** Calls the operations of a reference server. Checks each response against the generated schema of its status. */
export class FleetCaller {
  readonly ref: ReferenceServer;

  constructor(options: ReferenceServerOptions = {}) {
    this.ref = createReferenceServer({ store: { stores: 0 }, ...options });
  }

  async call(operation: FleetOperationId, carried: Carried = {}): Promise<FleetResponse> {
    const { id, query = {}, base = "production", headers = {} } = carried;
    const { method, path } = fleetOperations[operation];
    const filled = path.replace("{id}", encodeURIComponent(id ?? ""));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const url = `${base === "sandbox" ? this.ref.sandboxUrl : this.ref.fleetUrl}${filled}?${search}`;
    const own = this.ref.keys.find(({ key }) => key.includes("_test_") === (base === "sandbox"))?.key;
    const text = carried.text ?? (carried.body === undefined ? undefined : JSON.stringify(carried.body));
    const response = await this.ref.fetch(url, {
      method,
      headers: { authorization: `Bearer ${carried.key ?? own}`, ...typeOf(text), ...headers },
      ...(text !== undefined && { body: text }),
    });
    return checkResponse(operation, response);
  }

  /** The data of a successful response. */
  async data<Data = JsonObject>(operation: FleetOperationId, carried: Carried = {}): Promise<Data> {
    const seen = await this.call(operation, carried);
    if (seen.errors.length > 0) throw new Error(`${operation} failed: ${JSON.stringify(seen.errors)}`);
    return seen.data as Data;
  }
}

/** A server under some readings. */
export function callerWith(
  readings: ReadingsOption,
  fleet: ReferenceServerOptions["fleet"] = {},
): FleetCaller {
  return new FleetCaller({ readings, fleet });
}

/** A production key for tests. */
export const TEST_KEY = `ref_${"0a".repeat(32)}`;

/** A server with one production key of these scopes. */
export function keyed(scopes: Scope[], readings: ReadingsOption = {}): FleetCaller {
  return new FleetCaller({ readings, fleet: { keys: [{ key: TEST_KEY, scopes }] } });
}

/** All data of production, as plain values. */
export function rowsOf({ ref }: FleetCaller): unknown {
  return structuredClone(Object.entries(ref.state.fleet).map(([name, rows]) => [name, [...rows]]));
}

export function ids(data: unknown): unknown[] {
  return (data as JsonObject[]).map(({ id }) => id);
}

export function paginationOf({ meta }: FleetResponse): Pagination {
  return meta.pagination as Pagination;
}

function typeOf(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { "content-type": "application/json" };
}

async function checkResponse(operation: FleetOperationId, response: Response): Promise<FleetResponse> {
  const { status } = response;
  const text = await response.text();
  const body = text === "" ? undefined : (JSON.parse(text) as JsonObject);
  const schema = schemaOf(operation, status);
  const issues =
    body === undefined || schema === undefined ? [] : (safeParse(schema, body).error?.issues ?? []);
  if (issues.length > 0) {
    throw new Error(
      `${operation} ${status} is none of the spec: ${JSON.stringify(issues)}: ${text.slice(0, 500)}`,
    );
  }
  const errors = (body?.errors ?? []) as JsonObject[];
  return { status, body, data: body?.data, meta: (body?.meta ?? {}) as JsonObject, errors };
}

function schemaOf(operation: FleetOperationId, status: number): z.ZodMiniType | undefined {
  if (status === 204) return undefined;
  if (status === 403) return schemas.zForbiddenErrorBody;
  if (status >= 300) return schemas.zFleetErrorBody;
  const name = `z${operation.charAt(0).toUpperCase()}${operation.slice(1)}Response`;
  return (schemas as unknown as Record<string, z.ZodMiniType>)[name];
}
