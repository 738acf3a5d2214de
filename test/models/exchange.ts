/** One HTTP exchange as plain data, and the adapter that lets a model stand behind `fetch`. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export interface ModelRequest {
  readonly method: string;
  /** Path and query as in a request line: `/v1/stores?limit=2`. */
  readonly target: string;
  /** Header names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** It asks for the whole list: `cap` and `offsets` do not apply. */
  readonly isWhole?: boolean;
}

/** Properties of a service that no reading describes. */
export interface Variant {
  /** The largest number of items of a page, whatever its limit is. A list without pagination ends there. */
  readonly cap?: number;
  /** Cursors of protocols and photos are numbers of entries. */
  readonly offsets?: boolean;
  /** Each summary of a protocol has a property that differs from that of the last response. */
  readonly signed?: boolean;
  /** The service compares times in units of so many milliseconds. */
  readonly precision?: number;
  /** Summaries of protocols show times in units of so many milliseconds. */
  readonly coarse?: number;
  /** Vehicles and stores have no ID. */
  readonly anonymous?: boolean;
  /** Vehicles without ID have an empty string instead. */
  readonly emptyIds?: boolean;
}

export interface ModelResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A write that took effect. */
export interface AppliedWrite {
  readonly operation: string;
  readonly target: string;
  readonly body: Json;
}

export interface Model<State> {
  /** The part of the URL's path before the paths of the contract. */
  readonly basePath: string;
  handle(request: ModelRequest): ModelResponse;
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Live plain data. Copy it before you keep it; use `change` to edit it. */
  readonly state: State;
  readonly applied: AppliedWrite[];
  change(edit: (state: State) => void): void;
}

const json = { "content-type": "application/json" };
const bodiless = new Set([204, 205, 304]);

export function jsonResponse(
  status: number,
  value: Json,
  headers?: Readonly<Record<string, string>>,
): ModelResponse {
  return { status, headers: headers ? { ...json, ...headers } : json, body: JSON.stringify(value) };
}

export function textResponse(status: number, body: string, type = "text/plain"): ModelResponse {
  return { status, headers: body === "" ? {} : { "content-type": type }, body };
}

/** Reads a JSON text. `undefined` means that the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse returns only JSON values
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fetchFrom(handle: (request: ModelRequest) => ModelResponse): Model<never>["fetch"] {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.text();
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    const response = handle({
      method: request.method,
      target: url.pathname + url.search,
      headers: Object.fromEntries(request.headers),
      body,
    });
    return new Response(bodiless.has(response.status) ? null : response.body, {
      status: response.status,
      headers: response.headers,
    });
  };
}

/** Path and query of a request target. */
export function splitTarget(target: string): [string, string] {
  const at = target.indexOf("?");
  return at === -1 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
}

/** A clock with the constant time 15 June 2026. */
export const standingClock = (): number => Date.UTC(2026, 5, 15, 12);
