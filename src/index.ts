// Both clients. `shelfleet/store` and `shelfleet/fleet` have one of them.
export * from "./client/fleet/index.ts";
export * from "./client/store/index.ts";
export type { JsonObject } from "./client/store/index.ts";
