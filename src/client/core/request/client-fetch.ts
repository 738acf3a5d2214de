import type { Redactor } from "../../../wire/redaction.ts";
import type { Api } from "./api.ts";

/** The `fetch` of a client. */
export type ClientFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The base URL and the `fetch` of a raw client. */
export interface RawSource {
  baseUrl: string;
  /** Like the `fetch` of the client, but a key selects the base URL. */
  fetch: ClientFetch;
}

const rawSources = new WeakMap<ClientFetch, RawSource>();

/** Returns the source of the raw client, by the `fetch` of the client; undefined for another function. */
export function findRawSource(fetch: ClientFetch): RawSource | undefined {
  return rawSources.get(fetch);
}

/**
 * Creates a standard `fetch` with a client's authentication, timeouts, retries and hooks. It accepts only URLs below
 * the base URLs. A key selects one of several base URLs, which must be that of the URL. The body is read before the
 * promise resolves. Secrets are redacted in the bodies and headers of redirects and error responses.
 */
export function makeClientFetch<Operations>(
  api: Api<Operations>,
  bases: readonly [string, ...string[]],
): ClientFetch {
  const fetch = makeFetch(api, bases, "of-url");
  rawSources.set(fetch, { baseUrl: bases[0], fetch: makeFetch(api, bases, "of-key") });
  return fetch;
}

function makeFetch<Operations>(
  api: Api<Operations>,
  bases: readonly string[],
  environment: "of-url" | "of-key",
): ClientFetch {
  return async function clientFetch(input, init) {
    const { redactor } = api.config.secret;
    // the platform would keep a listener on the signal until the request is garbage-collected
    const signal = init instanceof Request ? undefined : (init?.signal ?? undefined);
    const request = makeRequest(input, signal === undefined ? init : { ...init, signal: null }, redactor);
    const { sendRequest } = await import("./send-request.ts");
    return sendRequest(api, { bases, environment, input, request, signal: signal ?? request.signal });
  };
}

/** A platform's `Request`. */
function makeRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  redactor: Redactor,
): Request {
  try {
    return new Request(input, init);
  } catch (error) {
    throw platformError(error as TypeError, redactor); // the platform throws no other
  }
}

/** Copies a platform's error without its cause, which may quote a secret of the request. */
function platformError({ message }: TypeError, redactor: Redactor): TypeError {
  return new TypeError(redactor.redact(message));
}
