import createClient, { type Client } from "openapi-fetch";
import { Redactor } from "../internal/redaction.ts";
import { InvalidRequestError } from "./errors/errors.ts";
import type { Issue } from "./errors/issue.ts";
import { fillPath } from "./request/build.ts";
import { checkHeaders } from "./options/headers.ts";
import { type ClientOptions, resolveLimits } from "./options/options.ts";
import type { ApiConfig } from "./request/api.ts";
import type { ClientFetch } from "./request/client-fetch.ts";
import type { SecretSource } from "./request/secret.ts";
import { redactError } from "./request/redact-error.ts";
import { fetchTransport } from "./transport/fetch.ts";

/** The part of a client's configuration that its options decide in the same way for both APIs. */
export function commonConfig(
  options: ClientOptions,
  headers: Record<string, string> = {},
): Pick<ApiConfig, "transport" | "headers" | "hooks" | "limiter" | "runtime" | "limits" | "validate"> {
  return {
    transport: options.transport ?? fetchTransport(options.fetch),
    headers: { accept: "application/json", ...headers, ...checkHeaders(options.headers) },
    hooks: options.hooks ?? {},
    limiter: options.limiter,
    runtime: options.runtime ?? globalThis,
    limits: resolveLimits(options),
    validate: options.validate ?? "envelope",
  };
}

/** Runs `build`; the message of a `ConfigurationError` quotes what was given, but never the token or key. */
export function withoutSecret<T>(secret: SecretSource, build: () => T): T {
  try {
    return build();
  } catch (error) {
    const redactor = new Redactor();
    if (typeof secret === "string") redactor.add(secret);
    throw redactError(error, redactor);
  }
}

/** The openapi-fetch client of an API over the client's own `fetch`. Path ids are checked as those of the methods. */
export function makeRaw<Paths extends object>(
  baseUrl: string,
  fetch: ClientFetch,
): Client<Paths, "application/json"> {
  const pathSerializer = (path: string, ids: Record<string, unknown>): string => {
    const issues: Issue[] = [];
    const filled = fillPath({ path }, ids, issues);
    if (issues.length > 0) throw new InvalidRequestError(path.slice(baseUrl.length), issues);
    return filled;
  };
  return createClient<Paths, "application/json">({ baseUrl, fetch, pathSerializer });
}
