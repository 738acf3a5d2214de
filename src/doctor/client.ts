import { setTimeout as pause } from "node:timers/promises";
import ky, { HTTPError, type KyInstance, TimeoutError } from "ky";
import { parseJson } from "../wire/json.ts";
import { parseRetryAfter } from "../wire/retry-after.ts";
import { codeOf } from "../wire/thrown.ts";

/** A check cannot be made; the next ones can. */
export class CheckError extends Error {}

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
}

export const defaultLimits: ResponseLimits = { timeout: 10_000, maxSize: 16 };
/** The statuses that another attempt may not have. */
const passing = [429, 502, 504];

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

/** Sends GETs with their retries, within the bounds of a run. */
export class Client {
  sent = 0;
  readonly #ky: KyInstance;
  readonly #limits: ResponseLimits;
  #next = 0;

  constructor(
    { requests, rate }: { requests: number; rate: number },
    fetch: typeof globalThis.fetch,
    limits: ResponseLimits,
  ) {
    const { timeout, maxSize } = limits;
    this.#limits = limits;
    // counts an attempt, and waits until it may be sent
    const admit = async ({ request: { method } }: { request: Request }): Promise<void> => {
      if (method !== "GET") throw new Error(`doctor sends only GET, not ${method}`);
      if (this.sent >= requests)
        throw new ServiceError(`${requests} requests are sent; --requests allows more`);
      this.sent += 1;
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
        statusCodes: passing,
        maxRetryAfter: timeout,
        shouldRetry: ({ error }) => mayRetry(error, timeout),
      },
      hooks: { beforeRequest: [admit], beforeRetry: [admit] },
      onDownloadProgress: ({ transferredBytes }) => {
        if (transferredBytes > maxSize * 2 ** 20) throw new CheckError(`a body of more than ${maxSize} MiB`);
      },
    });
  }

  /** @throws {CheckError} if no whole response came; its message contains `request` */
  async get(url: URL, request: string, authorization: string): Promise<Reply> {
    try {
      const headers = { accept: "application/json", ...(authorization && { authorization }) };
      const sent = this.#ky.get(url, { headers });
      const text = await sent.text();
      const response = await sent;
      const body = parseJson(text);
      const form = body === undefined ? formOf(text) : "JSON";
      return { status: response.status, headers: response.headers, body, form, request };
    } catch (error) {
      throw error instanceof ServiceError
        ? error
        : new CheckError(`${describeAttempt(error, this.#limits)} (${request})`);
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

function describeAttempt(error: unknown, { timeout }: ResponseLimits): string {
  if (error instanceof CheckError) return error.message;
  if (error instanceof TimeoutError) return `no whole response within ${timeout / 1000} s`;
  if (!(error instanceof HTTPError)) return describeFailure(error);
  const { status } = error.response;
  return status === 429 ? "429: too many requests; give a lower --rate, or try later" : `status ${status}`;
}

/** What the codes of Node, OpenSSL and undici mean. */
const failures: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "DNS does not know the host name: check the URL, the network and the VPN"],
  [/^ECONNREFUSED$/, "nothing listens at this host and port"],
  [/^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/, "the connection was closed before the response ended"],
  [/UNREACH|TIMEDOUT|TIMEOUT/, "the host does not respond: check the network, the VPN and firewalls"],
  [/ALTNAME_INVALID/, "the certificate is for another host name than that of the URL"],
  [/^CERT_/, "the certificate has expired, or is not valid yet: check the clock of this machine"],
  [/SELF_SIGNED/, "the certificate is self-signed: NODE_EXTRA_CA_CERTS can name its file"],
  [/LEAF_SIGNATURE|ISSUER_CERT/, "an unknown authority signed the certificate, or one between is missing"],
  [/^ERR_SSL_/, "the port does not speak TLS: the URL may need http, or another port"],
  [/^HPE_/, "the port does not speak HTTP, or the response breaks the protocol"],
];

/** Returns the code of the first error in a chain of causes that has one. */
function findCode(error: unknown): string {
  return error instanceof Error ? (codeOf(error) ?? findCode(error.cause)) : "";
}

/** Describes why no response came, without the text of the error, which may quote the request. */
function describeFailure(error: unknown): string {
  const code = findCode(error);
  const [, words = "the connection failed"] = failures.find(([codes]) => codes.test(code)) ?? [];
  return /^\w{3,50}$/.test(code) ? `${words} (${code})` : words;
}
