// Runs in a separate thread, started by service.ts.
import { parentPort, workerData } from "node:worker_threads";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

/** The amount of data to copy. */
export interface Size {
  stores: number;
  protocolsPerStore: number;
}

/** The URL, token and time of a server that listens. */
export interface ServiceUrls {
  baseUrl: string;
  token: string;
  now: Date;
}

const { stores, protocolsPerStore } = workerData as Size; // service.ts hands it in
const ref = createReferenceServer({ store: { stores, protocolsPerStore }, journal: { limit: 0 } });
const { storeUrl } = await serve(ref, { port: 0 });
const urls: ServiceUrls = { baseUrl: storeUrl, token: ref.token, now: ref.clock.now() };
parentPort?.postMessage(urls, []);
