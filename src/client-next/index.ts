export { FleetClient } from "./fleet/client.ts";
export { FleetApiError, ScopeError } from "./fleet/errors.ts";
export { StoreClient } from "./store/client.ts";
