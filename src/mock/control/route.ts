import type { ReferenceServer } from "../index.ts";
import type { UncheckedObject } from "./property-checks.ts";
import type { Tenants } from "./tenants.ts";

/** A request of the control API whose token, route and body were checked. */
export interface ControlRequest {
  /** The server, or the tenant that the request names. */
  readonly ref: ReferenceServer;
  readonly tenants: Tenants;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: UncheckedObject;
}

/** The response of a route. */
export interface ControlResponse {
  readonly status: number;
  readonly body?: unknown;
}

/** One operation of the control API. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/__ref/`, with parameters in braces. */
  readonly path: string;
  /** Query parameters. Default: `tenant`. */
  readonly query?: readonly string[];
  run(request: ControlRequest): ControlResponse;
}

/** The response of a route that returns nothing. */
export const NO_CONTENT: ControlResponse = { status: 204 };

/** Returns a response with a body. */
export function ok(body: unknown): ControlResponse {
  return { status: 200, body };
}

/** Returns the response of a route that created something. */
export function created(body: unknown): ControlResponse {
  return { status: 201, body };
}
