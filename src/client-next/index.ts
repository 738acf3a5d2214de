export type { JsonObject } from "../wire/json.ts";
export * from "./fleet/index.ts";
export * from "./store/index.ts";
