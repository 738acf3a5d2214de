export { listenOptions, mswHandlers } from "./adapters/msw.ts";
