export { listenOptions, mswHandlers } from "./adapters/msw/handlers.ts";
