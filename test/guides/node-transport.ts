import type { Transport } from "../../src/client/core/transport/transport.ts";
import { nodeTransport as realTransport, type NodeTransportOptions } from "../../src/client/node/index.ts";
import { fetchDispatcher } from "../transports/fetch-dispatcher.ts";

/**
 * Checks the options of a block, and sends its requests to the reference server; requests to the loopback host are
 * real.
 */
export function nodeTransport(options?: NodeTransportOptions): Transport & { close(): Promise<void> } {
  const real = realTransport(options);
  const send: Transport = (request) => {
    if (new URL(request.url).hostname === "127.0.0.1") return real(request);
    return realTransport({ dispatcher: fetchDispatcher(globalThis.fetch) })(request);
  };
  return Object.assign(send, { close: () => real.close() });
}
