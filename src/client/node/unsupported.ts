// Loaded instead of the transport in browsers and workers.
import { unsupportedRuntime } from "./runtime.ts";

/** @throws {ConfigurationError} always: this runtime does not have the sockets of Node.js */
export function nodeTransport(): never {
  throw unsupportedRuntime();
}
