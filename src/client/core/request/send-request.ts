// Loaded with the first `client.fetch`.
import { parseJson } from "../../../wire/json.ts";
import { Routes } from "../../../wire/routes.ts";
import { checkHeaders } from "../options/headers.ts";
import type { Api } from "./api.ts";
import { onAbort } from "../options/abort.ts";
import { decodePercent } from "../../../wire/decode-percent.ts";
import { retryClassOf } from "../../../wire/to-operations.ts";
import { type Destination, DestinationLock } from "./destination.ts";
import { invalidRequest, redactError } from "./redact-error.ts";
import { cleanHeaders, unexpectedResponse } from "./response-failure.ts";
import type { BufferedResponse, RequestSpec, Run } from "./run.ts";
import { pathBelow } from "./path-below.ts";
import { isRedirect } from "./url.ts";

const routes = new WeakMap<object, Routes>();

/** Returns the routes of an operation table, which are built once. */
function routesOf(operations: ConstructorParameters<typeof Routes>[0]): Routes {
  const known = routes.get(operations) ?? new Routes(operations);
  routes.set(operations, known);
  return known;
}

/** Matches a `.` or `..` between slashes in the path of a URL, which the platform removes with the segment before it. */
const dotSegment = /^[^?#]*[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/** A request of `client.fetch`. */
export interface FetchRequest {
  bases: readonly string[];
  /** The base URL of the URL must be that of the key, or is replaced by it. */
  environment: "of-url" | "of-key";
  /** The argument that the request was made from. */
  input: string | URL | Request;
  request: Request;
  signal: AbortSignal;
}

/** Sends a request as the calls of the client are sent. */
export async function sendRequest<Operations>(
  api: Api<Operations>,
  fetched: FetchRequest,
): Promise<Response> {
  const { redactor } = api.config.secret;
  const { base, ...spec } = await specOf(api, fetched).catch((error: unknown) => {
    throw redactError(error, redactor);
  });
  const checkBase = ({ baseUrl }: Destination): void => {
    if (baseUrl === base) return;
    const message = `must be below ${baseUrl}, the base URL of the current key`;
    throw invalidRequest(`${spec.method} ${base}`, [{ path: "url", message }], redactor);
  };
  const destination = fetched.environment === "of-key" ? undefined : new DestinationLock(checkBase);
  return api.execute({ ...spec, destination }, (buffered, run) => toResponse(api, buffered, run));
}

async function specOf<Operations>(
  { config }: Api<Operations>,
  { bases, input, request, signal }: FetchRequest,
): Promise<RequestSpec & { base: string }> {
  const { method, url } = request;
  const { redactor } = config.secret;
  const base = bases.find((known) => pathBelow(known, url) !== undefined);
  const path = base === undefined ? undefined : pathBelow(base, url);
  if (base === undefined || path === undefined) {
    const message = `must be below ${bases.join(" or ")}`;
    throw invalidRequest(`${method} ${new URL(url).origin}`, [{ path: "url", message }], redactor);
  }
  if (typeof input === "string" && dotSegment.test(input)) {
    const message = "must not have a dot segment, because the path would be a different one";
    throw invalidRequest(`${method} ${base}`, [{ path: "url", message }], redactor);
  }
  const sentRoute = path.split("?", 1)[0] as string; // a split has at least one part
  const match = routesOf(config.operations).match(normalize(sentRoute));
  const known = config.operations[match?.operations.get(method) ?? ""];
  const shownRoute = known?.path ?? redactor.redact(withoutValues(sentRoute));
  const label = `${method} ${shownRoute}`;
  const text = request.body === null ? undefined : decodeBody(await readBytes(request, signal));
  if (text === null) {
    const message = "must be UTF-8 text";
    throw invalidRequest(label, [{ path: "", message }], redactor);
  }
  return {
    base,
    operation: known ?? { id: "", response: "object" },
    label,
    method,
    route: shownRoute,
    path,
    body: text,
    headers: checkHeaders(request.headers),
    retryClass:
      known === undefined
        ? retryClassOf(method)
        : config.retryClassOf(known, { path: match?.params, body: text && parseJson(text) }),
    limits: config.limits,
    errorBytes: config.limits.maxResponseBytes,
    signals: [signal],
    redirect: request.redirect,
  };
}

/**
 * Returns a path that the contract does not have for messages and events: a segment that is not a word may be an ID, or a
 * token that a function returns later.
 */
function withoutValues(path: string): string {
  const isWord = /^[a-z-]{0,24}$|^v\d$/;
  return path
    .split("/")
    .map((segment) => (isWord.test(segment) ? segment : "{…}"))
    .join("/");
}

/** Reads the body of a request until the signal of the call is aborted. */
function readBytes(request: Request, signal: AbortSignal): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = onAbort(signal, reject);
    void request.arrayBuffer().then(resolve, reject).finally(stop);
  });
}

/** Returns the text of a body; null if it is not UTF-8. */
function decodeBody(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Returns a path in the form that servers treat as the same: without empty segments and needless percent-encoding. The
 * operation of a request decides whether it may be sent twice.
 */
function normalize(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  return `/${segments.map((segment) => encodeURIComponent(decodePercent(segment))).join("/")}`;
}

function toResponse<Operations>({ config }: Api<Operations>, buffered: BufferedResponse, run: Run): Response {
  const clean = (text: string): string => config.secret.redactor.redact(text);
  const failed = { run, buffered, clean };
  const { status, complete, bytes } = buffered;
  if (!complete)
    throw unexpectedResponse(
      failed,
      `with a body over ${run.spec.limits.maxResponseBytes} bytes (maxResponseBytes)`,
    );
  if (run.spec.redirect === "error" && isRedirect(status))
    throw unexpectedResponse(failed, "is a redirect, which is not followed");
  if (status < 200 || status > 599) throw unexpectedResponse(failed, "is not a usable response");
  const isError = status >= 300;
  const hasNoBody = status === 204 || status === 205 || status === 304;
  const body = hasNoBody ? null : isError ? cleanBody(bytes, clean) : bytes;
  const headers = isError ? cleanHeaders(buffered.head.headers, clean) : buffered.head.headers;
  const response = new Response(body as BodyInit | null, { status, headers }); // a copy of the bytes that is not shared
  return Object.defineProperty(response, "url", { value: clean(run.url) });
}

/** Returns the body of an error without secrets; its own bytes if it contains none. */
function cleanBody(bytes: Uint8Array, clean: (text: string) => string): Uint8Array | string {
  const text = new TextDecoder().decode(bytes);
  const cleaned = clean(text);
  return cleaned === text ? bytes : cleaned;
}
