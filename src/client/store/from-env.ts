import { type Environment, processEnvironment, readLogOptions, requireVariable } from "../environment.ts";
import { checkStoreUrl, StoreClient, type StoreClientOptions, type StoreShapes } from "./client.ts";

/**
 * Creates a client from environment variables: `SHELFLEET_STORE_URL`, `SHELFLEET_TOKEN`, and `SHELFLEET_LOG` for a
 * console log from that level.
 * @param options additional options, which have precedence over the variables
 * @param env the variables, instead of those of the process
 * @throws {ConfigurationError} if a variable is missing or wrong
 * @example const store = storeFromEnv();
 */
export function storeFromEnv<const Shapes extends StoreShapes = object>(
  options: Partial<StoreClientOptions<Shapes>> = {},
  env: Environment = processEnvironment(),
): StoreClient<Shapes> {
  const { baseUrl, token } = options;
  return new StoreClient<Shapes>({
    ...(options.log === undefined ? readLogOptions(env) : {}),
    ...options,
    baseUrl:
      baseUrl ?? checkStoreUrl("SHELFLEET_STORE_URL", requireVariable(env, "SHELFLEET_STORE_URL"), options),
    token: token ?? requireVariable(env, "SHELFLEET_TOKEN"),
  });
}
