import { fleetBasePath } from "../../../generated/fleet.operations.ts";
import { parseKey } from "../../wire/fleet-key.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import { checkSendable } from "../core/request/secret.ts";
import { checkBaseUrl } from "../core/request/url.ts";

/** The environment in which a key is valid; its prefix names it. Contract: fleet 5. */
export type FleetEnvironment = "production" | "sandbox";

/** The base URLs, each ending in `/api/third-party/v1`. */
export interface FleetEnvironments {
  production?: string | URL | undefined;
  sandbox?: string | URL | undefined;
}

/** One base URL for every key, or one for each environment; the key's prefix selects it. */
export type FleetBaseUrls =
  | { baseUrl?: undefined; environments: FleetEnvironments }
  | { baseUrl: string | URL; environments?: FleetEnvironments | undefined };

/** Returns the environment of a key. Without a given prefix, any prefix is accepted. */
export function environmentOf(key: unknown, prefix: string | undefined): FleetEnvironment {
  checkSendable("key", key);
  const form = parseKey(key, prefix);
  if (form !== undefined) return form.environment;
  const shownPrefix = prefix ?? "<prefix>";
  throw new ConfigurationError(
    `the key must have the form ${shownPrefix}_ or ${shownPrefix}_test_ followed by 64 hexadecimal digits`,
  );
}

/** The base URLs of a client. */
export interface BaseUrls {
  /** All base URLs, at least one. */
  bases: readonly [string, ...string[]];
  /** Returns the base URL for keys of an environment; throws a `ConfigurationError` if there is none. */
  baseUrlOf: (environment: FleetEnvironment) => string;
  /** The options, with the validated URLs. */
  urls: { baseUrl: string | undefined; environments: FleetEnvironments };
}

/** Validates the base URL of a client or of an environment variable. */
export function checkFleetUrl(name: string, given: unknown, allowInsecure: boolean): string {
  const url = checkBaseUrl(name, given, allowInsecure);
  if (url.endsWith(fleetBasePath)) return url;
  // a path follows the suffix, or the suffix is truncated
  const start = url.replace(/(?<!\/)\/api(?:\/third-party(?:\/v\d.*)?)?$/, "");
  throw new ConfigurationError(`${name} must end in ${fleetBasePath}. Write ${start}${fleetBasePath}`);
}

/** Validates the base URLs of a client. */
export function resolveBaseUrls(
  { baseUrl, environments }: Partial<FleetBaseUrls>,
  allowInsecure: boolean,
): BaseUrls {
  const check = (name: string, value: unknown): string | undefined =>
    value === undefined ? undefined : checkFleetUrl(name, value, allowInsecure);
  const fixed = check("baseUrl", baseUrl);
  const byEnvironment = {
    production: check("environments.production", environments?.production),
    sandbox: check("environments.sandbox", environments?.sandbox),
  };
  const [first, ...others] = [fixed, byEnvironment.production, byEnvironment.sandbox].filter(
    (base) => base !== undefined,
  );
  if (first === undefined) {
    throw new ConfigurationError("FleetClient needs a baseUrl, or environments: { production, sandbox }");
  }
  const baseUrlOf = (environment: FleetEnvironment): string => {
    const url = fixed ?? byEnvironment[environment];
    if (url === undefined) {
      throw new ConfigurationError(
        `the key is a ${environment} key, but environments.${environment} has no URL`,
      );
    }
    const other = environment === "production" ? "sandbox" : "production";
    if (url === byEnvironment[other] && url !== byEnvironment[environment]) {
      throw new ConfigurationError(`the key is a ${environment} key, but baseUrl is environments.${other}`);
    }
    return url;
  };
  return { bases: [first, ...others], baseUrlOf, urls: { baseUrl: fixed, environments: byEnvironment } };
}
