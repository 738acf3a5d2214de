export { FleetClient } from "./client.ts";
