// Runs in a separate thread, started by service.ts.
import { parentPort, workerData } from "node:worker_threads";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

/** The amount of data to copy. */
export interface Size {
  stores: number;
  protocolsPerStore: number;
}

/** The URLs, token, key and time of a server that listens. */
export interface DemoUrls {
  store: { baseUrl: string; token: string };
  fleet: { baseUrl: string; key: string };
  now: Date;
}

const { stores, protocolsPerStore } = workerData as Size; // service.ts hands it in
const ref = createReferenceServer({ store: { stores, protocolsPerStore }, journal: { limit: 0 } });
const { storeUrl, fleetUrl } = await serve(ref, { port: 0 });
const urls: DemoUrls = {
  store: { baseUrl: storeUrl, token: ref.token },
  fleet: { baseUrl: fleetUrl, key: ref.key },
  now: ref.clock.now(),
};
parentPort?.postMessage(urls, []);
