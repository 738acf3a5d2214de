import { isObject } from "../../wire/json.ts";
import { Redactor } from "../../wire/redaction.ts";
import { ConfigurationError } from "./errors/errors.ts";
import { checkHeaders } from "./options/headers.ts";
import {
  type ClientOptions,
  type Limits,
  resolveConcurrency,
  resolveLimits,
  type Runtime,
} from "./options/options.ts";
import { copyOptions } from "./pagination/list-call.ts";
import { AdaptiveLimiter } from "./options/adaptive-limiter.ts";
import type { ApiConfig } from "./request/api.ts";
import type { SharedState } from "./request/run.ts";
import { Slots } from "./request/slots.ts";
import type { SecretSource } from "./request/secret.ts";
import { Drain } from "./request/drain.ts";
import { combineHooks } from "./request/hooks.ts";
import { redactError } from "./request/redact-error.ts";
import { fetchTransport } from "./transport/fetch.ts";
import { version } from "../../wire/version.ts";

/** The part of a client's configuration that both APIs take from its options in the same way. */
export function commonConfig(
  options: ClientOptions & WithInherited,
  headers: Record<string, string> = {},
): CommonConfig {
  const limits = resolveLimits(options);
  const runtime = options.runtime ?? globalThis;
  return {
    transport: options.transport ?? fetchTransport(options.fetch),
    headers: { accept: "application/json", ...userAgent(), ...headers, ...checkHeaders(options.headers) },
    hooks: combineHooks(options.hooks),
    limiter: options.limiter,
    shared: makeSharedState(options, limits, runtime),
    log: options.log,
    runtime,
    limits,
    validate: options.validate ?? "envelope",
  };
}

type CommonConfig = Pick<
  ApiConfig,
  "transport" | "headers" | "hooks" | "limiter" | "shared" | "log" | "runtime" | "limits" | "validate"
>;

function makeSharedState(
  options: ClientOptions & WithInherited,
  { maxDelay }: Limits,
  runtime: Runtime,
): SharedState {
  const before = options[inherited]?.shared;
  const maximum = resolveConcurrency(options);
  return {
    slots: before?.slots ?? (maximum === undefined ? undefined : new Slots(maximum)),
    limiter: before?.limiter ?? new AdaptiveLimiter(maxDelay, runtime),
    drain: before?.drain ?? new Drain(),
    accepted: 0,
  };
}

/** Browsers send their own `User-Agent`; setting the header would cause a preflight request. */
function userAgent(): Record<string, string> {
  // not every platform has one, and no type of the language describes it
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith("Mozilla/") ? {} : { "user-agent": `shelfleet/${version}` };
}

/** The key of the state that a client passes to the clients of its `withOptions`. */
const inherited: unique symbol = Symbol("inherited");

interface WithInherited {
  [inherited]?: { shared: SharedState; redactor: Redactor };
}

/** Creates the redactor of a client. It also knows the secrets of the client whose `withOptions` created this one. */
export function makeRedactor(options: ClientOptions & WithInherited): Redactor {
  const { runtime, transport } = options;
  const redactor = new Redactor(runtime && (() => runtime.performance.now()));
  for (const secret of transport?.secrets?.() ?? []) redactor.keep(secret);
  const before = options[inherited]?.redactor;
  if (before !== undefined) redactor.addFrom(before);
  return redactor;
}

/** Merges the options of `withOptions` into those of the client. */
export function mergeOptions<Options extends ClientOptions>(
  own: Options,
  changes: Partial<Options>,
  { shared, secret }: Pick<ApiConfig, "shared" | "secret">,
): Options {
  if (!isObject(changes)) throw new ConfigurationError("withOptions: the options must be an object");
  const given = Object.fromEntries(
    Object.entries(copyOptions(changes)).filter(([, value]) => value !== undefined),
  );
  const merged: Options & WithInherited = {
    ...own,
    // options that a given one replaces
    ...(!!given["transport"] && { fetch: undefined }),
    ...(!!given["fetch"] && { transport: undefined }),
    ...(!!given["environments"] && { baseUrl: undefined }),
    ...(given as Partial<Options>), // the entries of `changes`
    [inherited]: {
      shared: { ...shared, slots: given["maxConcurrency"] ? undefined : shared.slots },
      redactor: secret.redactor,
    },
  };
  return merged;
}

/** The output of a client in a log: one line, without its token or key. */
export function describeClient(
  name: string,
  baseUrls: readonly string[],
  { limits, secret }: ApiConfig,
): string {
  return secret.redactor.redact(
    `${name} { baseUrl: "${baseUrls.join('", "')}", timeout: ${limits.timeout}, retry: ${limits.retries} }`,
  );
}

/** Runs `build`. The message of a `ConfigurationError` may quote an option, but never the token or key. */
export function withoutSecret<T>(secret: SecretSource, build: () => T): T {
  try {
    return build();
  } catch (error) {
    const redactor = new Redactor(() => 0); // a secret that is kept needs no clock
    if (typeof secret === "string") redactor.keep(secret);
    throw redactError(error, redactor);
  }
}
