import type { JsonObject } from "../../../generated/fleet.ts";
import type { FleetOptions, ReferenceServerOptions } from "../../../src/mock/index.ts";
import { assertContract } from "../../matrix/assert-contract.ts";
import { Caller, type ParsedResponse } from "../caller.ts";

/** Calls the production of the fleet API. At the end of a test, each response must be one of the OpenAPI document. */
export class FleetCaller extends Caller {
  constructor(fleet: FleetOptions = {}, options: ReferenceServerOptions = {}) {
    super({ store: { stores: 0 }, fleet, ...options });
    assertContract(this.ref);
  }

  /** Sends a request such as `PUT /vehicles/v1`. */
  call(request: string, body?: unknown, headers: Record<string, string> = {}): Promise<ParsedResponse> {
    const [method = "", path = ""] = request.split(" ");
    return this.send(method, path, typeof body === "string" ? body : JSON.stringify(body), headers);
  }

  /** The data of a successful response. */
  async data<Data = JsonObject>(request: string, body?: unknown): Promise<Data> {
    const { status, body: sent } = await this.call(request, body);
    if (status >= 300) throw new Error(`${request} failed: ${JSON.stringify(sent)}`);
    return sent.data as Data;
  }
}

/** The errors of a response. */
export function errorsOf({ body }: ParsedResponse): JsonObject[] {
  return body.errors as JsonObject[];
}

export function ids(data: unknown): unknown[] {
  return (data as JsonObject[]).map(({ id }) => id);
}
