export { listenOptions, type MswHandlers, mswHandlers, type MswOptions } from "./adapters/msw.ts";
export { type MswReference, setupReference } from "./adapters/setup-reference.ts";
export { fleetHttp, storeHttp, type TypedHttp, type TypedRequest } from "./adapters/typed-http.ts";
