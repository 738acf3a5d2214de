// What most programs write. Each entry of one API, `shelfleet/store` and `shelfleet/fleet`, has all of its types.
export * from "./client/fleet/main.ts";
export * from "./client/store/main.ts";
