import { FleetClient } from "shelfleet";
import { server } from "./server.ts";

const { fleetUrl, keys } = server.peek();

/** What the contract says about scopes: the same for every client, so that wrong options cannot hide it. */
export const scopeRules = new FleetClient({ baseUrl: fleetUrl, key: keys[0]?.key ?? "" }).scopes;
