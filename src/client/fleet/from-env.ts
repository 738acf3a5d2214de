import type { Scope } from "../../../generated/fleet.ts";
import { ConfigurationError } from "../errors.ts";
import {
  type Environment,
  processEnvironment,
  readLogOptions,
  readVariable,
  requireVariable,
} from "../environment.ts";
import type { ClientOptions } from "../options.ts";
import { FleetClient, type FleetClientOptions, type FleetShapes } from "./client.ts";
import { checkFleetUrl, type FleetBaseUrls } from "./keys.ts";

/**
 * Creates a client from environment variables: `SHELFLEET_FLEET_URL` (production) and `SHELFLEET_SANDBOX_URL`, one of
 * which the key's prefix selects, `SHELFLEET_KEY`, and `SHELFLEET_LOG` for a console log from that level.
 * @param options additional options, which have precedence over the variables
 * @param env the variables, instead of those of the process
 * @throws {ConfigurationError} if a variable is missing or wrong
 * @example const fleet = fleetFromEnv();
 */
export function fleetFromEnv<const Shapes extends FleetShapes = object, Granted extends Scope = Scope>(
  options: Partial<FleetClientOptions<Shapes, Granted>> = {},
  env: Environment = processEnvironment(),
): FleetClient<Shapes, Granted> {
  const { baseUrl, environments, key } = options;
  const baseUrls = baseUrl === undefined && environments === undefined ? readBaseUrls(env, options) : {};
  return new FleetClient<Shapes, Granted>({
    ...(options.log === undefined ? readLogOptions(env) : {}),
    ...options,
    ...baseUrls,
    key: key ?? requireVariable(env, "SHELFLEET_KEY"),
  } as FleetClientOptions<Shapes, Granted>); // one of the two URLs is set
}

function readBaseUrls(env: Environment, { allowInsecure }: ClientOptions): FleetBaseUrls {
  const read = (name: string): string | undefined => {
    const value = readVariable(env, name);
    return value === undefined ? undefined : checkFleetUrl(name, value, allowInsecure);
  };
  const production = read("SHELFLEET_FLEET_URL");
  const sandbox = read("SHELFLEET_SANDBOX_URL");
  if (production !== undefined || sandbox !== undefined) return { environments: { production, sandbox } };
  throw new ConfigurationError(
    "Neither of the environment variables SHELFLEET_FLEET_URL and SHELFLEET_SANDBOX_URL is set",
  );
}
