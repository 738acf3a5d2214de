export { openTelemetry, type OpenTelemetryOptions } from "./hooks.ts";
