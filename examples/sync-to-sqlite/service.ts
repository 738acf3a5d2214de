import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Settings } from "./command-line.ts";
import { count } from "./progress.ts";
import type { ServiceUrls, Size } from "./reference-server.ts";

/** The source of the stores. */
export interface Service extends ServiceUrls {
  /** Tells the file's sync from those of other services. */
  name: string;
  allowInsecure: boolean;
  stop(): Promise<void>;
}

const demo: Size = { stores: 2_000, protocolsPerStore: 20 };

export function openService(service: Settings["service"]): Promise<Service> | Service {
  if (service === undefined) return startReferenceServer();
  return { ...service, name: withoutTrailingSlash(service.baseUrl), now: new Date(), stop: async () => {} };
}

/** Starts the reference server in a separate thread, on a free port. */
async function startReferenceServer(): Promise<Service> {
  const thread = new Worker(new URL("reference-server.ts", import.meta.url), { workerData: demo });
  const [urls] = (await once(thread, "message")) as [ServiceUrls]; // rejects where the thread fails
  return {
    ...urls,
    // without its port, which is another one in each run; its data are the same
    name: `the reference server (${count(demo.stores)} stores, ${demo.protocolsPerStore} protocols each)`,
    allowInsecure: false,
    stop: async () => {
      await thread.terminate();
    },
  };
}

function withoutTrailingSlash(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/\/+$/, "");
}
