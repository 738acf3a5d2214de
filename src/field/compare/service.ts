import { parseJson } from "../../wire/json.ts";
import { hasDotSegment } from "../../wire/path-segment.ts";
import type { ComparedResponse } from "./difference.ts";

/** A GET below one of the base URLs. */
export interface ServiceRequest {
  readonly api: "store" | "fleet";
  /** The path, percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** The header `X-Service-API-Version`; `null` leaves it out. */
  readonly version?: string | null;
}

/** A function that responds to requests. */
export interface Service {
  send(request: ServiceRequest): Promise<ComparedResponse>;
}

/** A service cannot be reached, or rejects the credentials. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
}

/** The base URLs of the two APIs, and their secrets. */
export interface Access {
  readonly storeUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly fleetUrl?: string | undefined;
  readonly key?: string | undefined;
}

/** The limits of requests. */
export interface SendOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The wait between two requests in milliseconds. */
  readonly interval: number;
  /** The time limit of one request and its body, in milliseconds. */
  readonly timeout: number;
  /** The largest number of requests. */
  readonly maxRequests: number;
}

/** No further request may be sent. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** The number of retries after 429 and 503. */
const RETRIES = 3;

/** The longest `Retry-After` that is obeyed, in milliseconds. */
const MAX_WAIT = 60_000;

/** The largest body that is read, in characters. */
const MAX_BODY_LENGTH = 33_554_432;

/** A service over HTTP. */
export class HttpService implements Service {
  readonly #access: Access;
  readonly #options: SendOptions;
  #next = 0;
  sent = 0;

  constructor(access: Access, options: SendOptions) {
    this.#access = access;
    this.#options = options;
  }

  /**
   * @throws {ServiceError} if there was no response
   * @throws {BudgetSpent}
   */
  async send(request: ServiceRequest): Promise<ComparedResponse> {
    if (hasDotSegment(request.path))
      throw new ServiceError(`${describe(request)}: a path cannot contain this ID of the service`);
    for (let retries = 0; ; retries += 1) {
      const { response, wait } = await this.#sendOnce(request);
      if (wait === undefined || retries === RETRIES) return response;
      this.#next = Math.max(this.#next, performance.now() + wait);
    }
  }

  /** `wait`: milliseconds after which the request can be sent again. */
  async #sendOnce(
    request: ServiceRequest,
  ): Promise<{ response: ComparedResponse; wait: number | undefined }> {
    if (this.sent >= this.#options.maxRequests) throw new BudgetSpent("no further request may be sent");
    await this.#pause();
    this.sent += 1;
    const { storeUrl, token, fleetUrl, key } = this.#access;
    const isStore = request.api === "store";
    const { version = "v1" } = request;
    try {
      const response = await this.#options.fetch(urlOf(isStore ? storeUrl : fleetUrl, request), {
        redirect: "manual",
        headers: {
          accept: "application/json",
          authorization: `Bearer ${isStore ? token : key}`,
          ...(!isStore && version !== null && { "x-service-api-version": version }),
        },
        signal: AbortSignal.timeout(this.#options.timeout),
      });
      return { response: await comparedResponse(response), wait: waitOf(response) };
    } catch {
      // the message of the error could quote a header
      throw new ServiceError(
        `${describe(request)}: no response from ${new URL((isStore ? storeUrl : fleetUrl) ?? "").origin}`,
      );
    }
  }

  async #pause(): Promise<void> {
    const wait = this.#next - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    this.#next = performance.now() + this.#options.interval;
  }
}

/** Returns the wait after 429 and 503. */
function waitOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const text = headers.get("retry-after") ?? "1";
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? 1_000 : Math.min(Math.max(ms, 0), MAX_WAIT);
}

async function comparedResponse(response: Response): Promise<ComparedResponse> {
  const text = await response.text();
  if (text.length > MAX_BODY_LENGTH) throw new Error("the body is too large");
  const contentType = response.headers.get("content-type") ?? "";
  return { status: response.status, contentType, text, json: parseJson(text) };
}

function searchOf({ query = {} }: ServiceRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const search = new URLSearchParams(pairs).toString();
  return search === "" ? "" : `?${search}`;
}

function urlOf(base = "", request: ServiceRequest): string {
  return base.replace(/\/+$/, "") + request.path + searchOf(request);
}

/** Returns a request on one line. */
export function describe(request: ServiceRequest): string {
  return `GET ${request.path}${searchOf(request)}`;
}
