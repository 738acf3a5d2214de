export { nodeTransport, type NodeTransport } from "./node-transport.ts";
export type { ConnectOptions, NodeTransportOptions } from "./options.ts";
export type { UndiciDispatcher } from "./undici.ts";
