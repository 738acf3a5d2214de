export { listenOptions, type MswHandlers, mswHandlers, type MswOptions } from "./adapters/msw.ts";
