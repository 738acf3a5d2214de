export * from "./client/fleet/index.ts";
export * from "./client/store/index.ts";
// both contracts have open objects of the same form
export type { JsonObject } from "./client/store/index.ts";
