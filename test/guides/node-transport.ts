import {
  type NodeTransport,
  type NodeTransportOptions,
  nodeTransport as realTransport,
} from "../../src/client/node.ts";
import { fetchTransport } from "../../src/client/transport.ts";

/** Checks the options of a block, and sends its requests with the global `fetch`: to the reference server. */
export function nodeTransport(options?: NodeTransportOptions): NodeTransport {
  return Object.assign(fetchTransport(undefined, "no-store"), realTransport(options));
}
