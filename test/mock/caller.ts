import type { JsonObject } from "../../generated/store.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";

/** A response in the form that tests compare. */
export interface ParsedResponse {
  status: number;
  /** The parsed body; `undefined` without a body. */
  body: JsonObject;
  headers: Headers;
}

/** The range that contains all seeded rows. */
export const ALL_TIME = "from=2025-01-01T00:00:00Z&to=2027-01-01T00:00:00Z";

/** Calls a reference server with its own token and keys, as JSON. */
export class Caller {
  readonly ref: ReferenceServer;

  constructor(options: ReferenceServerOptions | ReferenceServer = {}) {
    this.ref = "fetch" in options ? options : createReferenceServer(options);
  }

  get(path: string): Promise<ParsedResponse> {
    return this.send("GET", path);
  }

  put(path: string, body: unknown): Promise<ParsedResponse> {
    return this.send("PUT", path, JSON.stringify(body));
  }

  /** Sends any request. Paths that begin with `/v1` are of the store API, all others of the fleet API. */
  async send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<ParsedResponse> {
    const isStore = path.startsWith("/v1");
    const secret = isStore ? this.ref.token : this.ref.keys[0]?.key;
    const response = await this.ref.fetch((isStore ? this.ref.storeUrl : this.ref.fleetUrl) + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body }),
    });
    return parseResponse(response);
  }
}

/** Reads a response. */
export async function parseResponse(response: Response): Promise<ParsedResponse> {
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, body: body as JsonObject, headers: response.headers };
}

/** The elements of a list. */
export function items({ body }: ParsedResponse): JsonObject[] {
  return body.items as JsonObject[];
}

/** The paths of the issues of a 400. */
export function issuePaths({ body }: ParsedResponse): string[] {
  const { issues = [] } = (body.error ?? {}) as { issues?: { path: string }[] };
  return issues.map(({ path }) => path);
}

/** The code of a store error. */
export function code({ body }: ParsedResponse): unknown {
  return (body.error as JsonObject).code;
}
