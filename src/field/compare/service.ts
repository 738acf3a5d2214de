import { readText } from "../read-text.ts";
import { requestFault } from "../request-fault.ts";
import { type Redactor, redactorOf } from "../../wire/redaction.ts";
import { parseRetryAfter } from "../../wire/retry-after.ts";
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

/** The wait after a 429 or 503 without `Retry-After`, in milliseconds. */
const DEFAULT_WAIT = 1_000;

/** A service over HTTP. */
export class HttpService implements Service {
  readonly #access: Access;
  readonly #options: SendOptions;
  readonly #redactor: Redactor;
  #next = 0;
  sent = 0;

  constructor(access: Access, options: SendOptions) {
    this.#access = access;
    this.#options = options;
    this.#redactor = redactorOf([access.token, access.key].filter((secret) => secret !== undefined));
  }

  /**
   * @throws {ServiceError} if there was no response
   * @throws {BudgetSpent}
   */
  async send(request: ServiceRequest): Promise<ComparedResponse> {
    const fault = requestFault(request.path, searchOf(request));
    if (fault !== undefined) throw new ServiceError(`${describe(request).slice(0, 200)}: ${fault}`);
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
      return { response: await comparedResponse(response, this.#redactor), wait: waitOf(response) };
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
  return Math.min(parseRetryAfter(headers.get("retry-after"), Date.now()) ?? DEFAULT_WAIT, MAX_WAIT);
}

async function comparedResponse(response: Response, redactor: Redactor): Promise<ComparedResponse> {
  const text = await readText(response);
  if (text === undefined) throw new Error("the body was cut off or is too large");
  const contentType = redactor.redact(response.headers.get("content-type") ?? "");
  return { status: response.status, contentType, json: redactor.parseJson(text) };
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
