import { ConfigurationError } from "../core/errors/errors.ts";

export function unsupportedRuntime(): ConfigurationError {
  return new ConfigurationError(
    "shelfleet/node needs Node.js 22.12 or later; leave out the option transport to use fetch",
  );
}
