import { FleetClient } from "shelfleet";
import { server } from "./server.ts";

const { fleetUrl, keys } = server.peek();

/** The scope rules of the contract. They are the same for every client, so wrong options cannot hide them. */
export const scopeRules = new FleetClient({ baseUrl: fleetUrl, key: keys[0]?.key ?? "" }).scopes;
