import { fleetBasePath } from "../../../generated/fleet.operations.ts";
import { parseKey } from "../../wire/secret.ts";
import { checkSendable } from "../credential.ts";
import { ConfigurationError } from "../errors.ts";
import { checkBaseUrl, requireValue } from "../option-rules.ts";

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
  | { baseUrl: string | URL; environments?: undefined };

/** Returns the environment of a key. Without a given prefix, any prefix is accepted. */
export function environmentOf(key: string, prefix: string | undefined): FleetEnvironment {
  checkSendable("key", key);
  const form = parseKey(key, prefix);
  if (form !== undefined) return form.environment;
  const shown = prefix ?? "<prefix>";
  throw new ConfigurationError(
    `the key must have the form ${shown}_ or ${shown}_test_ followed by 64 hexadecimal digits`,
  );
}

/** Validates the base URL of a client or of an environment variable. */
export function checkFleetUrl(name: string, given: unknown, allowInsecure: boolean | undefined): string {
  const url = checkBaseUrl(name, given, allowInsecure);
  if (url.endsWith(fleetBasePath)) return url;
  // a path follows the suffix, or the suffix is truncated
  const start = url.replace(/(?<!\/)\/api(?:\/third-party(?:\/v\d.*)?)?$/, "");
  throw new ConfigurationError(`${name} must end in ${fleetBasePath}. Write ${start}${fleetBasePath}`);
}

/** Validates the base URLs of a client. Returns the function that chooses one for the keys of an environment. */
export function resolveBaseUrls(
  { baseUrl, environments }: Partial<FleetBaseUrls>,
  allowInsecure?: boolean,
): (environment: FleetEnvironment) => string {
  const check = (name: string, value: unknown): string | undefined =>
    value === undefined ? undefined : checkFleetUrl(name, value, allowInsecure);
  const fixed = check("baseUrl", baseUrl);
  const urls = {
    production: check("environments.production", environments?.production),
    sandbox: check("environments.sandbox", environments?.sandbox),
  };
  requireValue(
    "FleetClient needs either a baseUrl or environments: { production, sandbox }",
    (fixed === undefined) !== ((urls.production ?? urls.sandbox) === undefined),
  );
  return (environment) => {
    const url = fixed ?? urls[environment];
    if (url !== undefined) return url;
    throw new ConfigurationError(
      `the key is a ${environment} key, but environments.${environment} has no URL`,
    );
  };
}
