export {
  fleetHttp,
  listenOptions,
  type MswHandlers,
  mswHandlers,
  type MswOptions,
  type MswReference,
  setupReference,
  storeHttp,
  type TypedHttp,
  type TypedRequest,
} from "./adapters/msw.ts";
