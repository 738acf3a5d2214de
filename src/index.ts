// Both clients. `shelfleet/store` and `shelfleet/fleet` have one of them each.
export * from "./client/fleet/index.ts";
export * from "./client/store/index.ts";
// each API has a type of this name, and both are the same
export type { JsonObject } from "./client/store/index.ts";
