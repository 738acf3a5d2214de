// Loaded instead of the transport in browsers and workers.
import { ConfigurationError } from "./errors.ts";

/** @throws {ConfigurationError} always: this runtime does not have the sockets of Node.js */
export function nodeTransport(): never {
  throw new ConfigurationError(
    "shelfleet/node needs Node.js 22.12 or later; leave out the option transport to use fetch",
  );
}
