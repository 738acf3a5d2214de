// Loaded in place of the transport on browsers and workers.
import { unsupportedRuntime } from "./runtime.ts";

/** @throws {ConfigurationError} always: this runtime has no sockets of Node.js */
export function nodeTransport(): never {
  throw unsupportedRuntime();
}
