import { setTimeout as pause } from "node:timers/promises";
import ky, { HTTPError, type KyInstance, TimeoutError } from "ky";
import { objectOf, parseJson } from "../wire/json.ts";
import { parseRetryAfter } from "../wire/header.ts";
import { codeOf } from "../wire/message.ts";

/** A check cannot be made; the next ones can. */
export class CheckError extends Error {
  /** What the user can try; undefined if nothing is known to help. */
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.advice = advice;
  }
}

/** No further check of this API can be made. */
export class ServiceError extends CheckError {}

/** No data shows what a check looks for. */
export class NoDataError extends CheckError {}

/** What a run allows one response. */
export interface ResponseLimits {
  /** The time for the head of a response, for its body, and the longest wait that `Retry-After` may ask for, in ms. */
  readonly timeout: number;
  /** The largest body in MiB. */
  readonly maxSize: number;
  /** The wait before the second attempt without `Retry-After`, in ms; before each further one it is three times as long. */
  readonly backoff: number;
}

export const defaultLimits: ResponseLimits = { timeout: 10_000, maxSize: 16, backoff: 1_000 };
/** The statuses that another attempt may not have. */
const passing = [429, 502, 503, 504];

/** Further attempts of one request. */
const maxRetries = 3;

export type Query = Readonly<Record<string, string | number>>;

/** A response that was read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly form: "JSON" | "an HTML page" | "empty" | "not JSON";
  /** The parsed JSON. */
  readonly body: unknown;
  /** The request without its data: `GET /v1/stores/{externalId}/photos?from&to&limit=2`. */
  readonly request: string;
}

/** Sends GETs within the bounds of a run. A further attempt after a 429 or a failure is the same request. */
export class Client {
  /** The number of requests so far. */
  sent = 0;
  readonly #requests: number;
  readonly #ky: KyInstance;
  readonly #limits: ResponseLimits;
  #next = 0;

  constructor(
    { requests, rate }: { requests: number; rate: number },
    fetch: typeof globalThis.fetch,
    limits: ResponseLimits,
  ) {
    const { timeout, maxSize, backoff } = limits;
    this.#limits = limits;
    this.#requests = requests;
    const admit = async ({ request: { method } }: { request: Request }): Promise<void> => {
      if (method !== "GET") throw new Error(`doctor sends only GET, not ${method}`);
      const now = performance.now();
      const wait = this.#next - now;
      this.#next = Math.max(now, this.#next) + 1000 / rate;
      if (wait > 0) await pause(wait);
    };
    this.#ky = ky.create({
      fetch,
      redirect: "manual",
      cache: "no-store",
      timeout,
      throwHttpErrors: (status) => passing.includes(status),
      retry: {
        limit: maxRetries,
        statusCodes: passing,
        maxRetryAfter: timeout,
        delay: (attempt) => backoff * 3 ** (attempt - 1),
        shouldRetry: ({ error }) => mayRetry(error, timeout),
      },
      hooks: { beforeRequest: [admit], beforeRetry: [admit] },
      onDownloadProgress: ({ transferredBytes }) => {
        if (transferredBytes > maxSize * 2 ** 20) throw new CheckError(`a body of more than ${maxSize} MiB`);
      },
    });
  }

  /** @throws {CheckError} if no whole response came; its message contains `request` */
  async get(url: URL, request: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
    if (this.sent >= this.#requests)
      throw new ServiceError(`${this.#requests} requests are sent`, "give a higher --requests");
    this.sent += 1;
    try {
      const sent = this.#ky.get(url, { headers });
      const text = await sent.text();
      const response = await sent;
      const body = parseJson(text);
      const form = body === undefined ? formOf(text) : "JSON";
      return { status: response.status, headers: response.headers, body, form, request };
    } catch (error) {
      throw toCheckError(error, request, this.#limits);
    }
  }
}

function formOf(text: string): Reply["form"] {
  if (text.trim() === "") return "empty";
  return /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text) ? "an HTML page" : "not JSON";
}

/** Returns false for what another attempt does not change; undefined leaves the decision to ky. */
function mayRetry(error: Error, timeout: number): boolean | undefined {
  if (error instanceof TimeoutError) return undefined;
  if (!(error instanceof HTTPError)) return /^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/.test(findCode(error));
  const wait = parseRetryAfter(error.response.headers.get("retry-after"), Date.now());
  return wait !== undefined && wait > timeout ? false : undefined;
}

/** Describes why a request has no response that a check can use. */
function toCheckError(error: unknown, request: string, { timeout }: ResponseLimits): CheckError {
  if (error instanceof ServiceError) return error;
  if (error instanceof CheckError) return new CheckError(`${error.message} (${request})`, error.advice);
  if (error instanceof TimeoutError)
    return new CheckError(`no whole response within ${timeout / 1000} s (${request})`, "try later");
  if (!(error instanceof HTTPError)) return describeFailure(error, request);
  const { response, data } = error as HTTPError; // ky does not say what a body is
  if (response.status === 429)
    return new CheckError(`429: too many requests (${request})`, "give a lower --rate, or try later");
  const body = typeof data === "string" ? parseJson(data) : data;
  if (objectOf(objectOf(body)["error"])["code"] === "not_configured")
    return new ServiceError(
      "503 not_configured: the service has no token",
      "its operator must configure one",
    );
  const isPage = typeof data === "string" && formOf(data) === "an HTML page";
  const words = isPage ? `a maintenance page with status ${response.status}` : `status ${response.status}`;
  return new CheckError(`${words} (${request})`, "try later");
}

/** What the codes of Node, OpenSSL and undici mean, and what to try. */
const failures: readonly (readonly [codes: RegExp, words: string, advice?: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "DNS does not know the host name", "check the URL, the network and the VPN"],
  [/^ECONNREFUSED$/, "nothing listens at this host and port", "check the URL"],
  [
    /^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/,
    "the connection was closed before the response ended",
    "try later",
  ],
  [/UNREACH|TIMEDOUT|TIMEOUT/, "the host does not respond", "check the network, the VPN and firewalls"],
  [/ALTNAME_INVALID/, "the certificate is for another host name than that of the URL", "check the URL"],
  [/^CERT_/, "the certificate has expired, or is not valid yet", "check the clock of this machine"],
  [/SELF_SIGNED/, "the certificate is self-signed", "name its file with NODE_EXTRA_CA_CERTS"],
  [
    /LEAF_SIGNATURE|ISSUER_CERT/,
    "an unknown authority signed the certificate, or one between is missing",
    "name the authority's file with NODE_EXTRA_CA_CERTS",
  ],
  [/^ERR_SSL_/, "the port does not speak TLS", "the URL may need http, or another port"],
  [/^HPE_/, "the port does not speak HTTP, or the response breaks the protocol", "check the port of the URL"],
];

/** Returns the code of the first error in a chain of causes that has one. */
function findCode(error: unknown): string {
  return error instanceof Error ? (codeOf(error) ?? findCode(error.cause)) : "";
}

/** Describes why no response came, without the text of the error, which may quote the request. */
function describeFailure(error: unknown, request: string): CheckError {
  const code = findCode(error);
  const [, words = "the connection failed", advice] = failures.find(([codes]) => codes.test(code)) ?? [];
  const shown = /^\w{3,50}$/.test(code) ? `${words} (${code})` : words;
  return new CheckError(`${shown} (${request})`, advice);
}
