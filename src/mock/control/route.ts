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

/** The body of the response to a request that created something. */
export class Created {
  readonly body: unknown;

  constructor(body: unknown) {
    this.body = body;
  }
}

/**
 * Operations of the control API by method and path below `/__ref`, with parameters in braces. Each returns the body of its
 * response, `Created` for status 201, or nothing for 204.
 */
export type ControlRoutes = Readonly<Record<string, (request: ControlRequest) => unknown>>;
