import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Settings } from "./command-line.ts";
import { count } from "./progress.ts";
import type { DemoUrls, Size } from "./reference-server.ts";

/** The source of the data. */
export interface Service {
  /** Tells the file's sync from those of other services. */
  name: string;
  store: { baseUrl: string; token: string; allowInsecure: boolean };
  fleet: { baseUrl: string; key: string; allowInsecure: boolean } | undefined;
  now: () => Date;
  /** Returns the URL at which the service is reached. */
  resolve: (url: string) => string;
  stop(): Promise<void>;
}

const demo: Size = { stores: 2_000, protocolsPerStore: 20 };

/** The URLs of the reference server, whose port is another one in each run. */
const demoUrls = {
  store: "https://reference-server.example",
  fleet: "https://reference-server.example/api/third-party/v1",
};

export function openService({ service, fleet }: Settings): Promise<Service> | Service {
  if (service === undefined) return startReferenceServer();
  const { baseUrl, allowInsecure } = service;
  return {
    name: withoutTrailingSlash(baseUrl),
    store: service,
    fleet: fleet && { ...fleet, allowInsecure },
    now: () => new Date(),
    resolve: (url) => url,
    stop: async () => {},
  };
}

/** Starts the reference server in a separate thread, on a free port. */
async function startReferenceServer(): Promise<Service> {
  const thread = new Worker(new URL("reference-server.ts", import.meta.url), { workerData: demo });
  const [{ store, fleet, now }] = (await once(thread, "message")) as [DemoUrls]; // rejects where the thread fails
  const { origin } = new URL(store.baseUrl);
  return {
    name: `the reference server (${count(demo.stores)} stores, ${demo.protocolsPerStore} protocols each)`,
    store: { ...store, baseUrl: demoUrls.store, allowInsecure: false },
    fleet: { ...fleet, baseUrl: demoUrls.fleet, allowInsecure: false },
    now: () => now,
    resolve: (url) => url.replace(demoUrls.store, origin),
    stop: async () => {
      await thread.terminate();
    },
  };
}

function withoutTrailingSlash(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/\/+$/, "");
}
