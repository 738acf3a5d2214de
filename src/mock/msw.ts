export {
  listenOptions,
  type MswHandlers,
  mswHandlers,
  type MswOptions,
  type MswReference,
  setupReference,
} from "./adapters/msw.ts";
export { fleetHttp, storeHttp, type TypedHttp, type TypedRequest } from "./adapters/typed-http.ts";
