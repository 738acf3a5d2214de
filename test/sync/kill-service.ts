// A thread with the reference server: a program that is killed does not kill it. Some responses are lost after their request
// was processed.
import { parentPort } from "node:worker_threads";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

const ref = createReferenceServer({
  now: "system",
  store: { stores: 12, protocolsPerStore: 15 },
  fleet: { vehicles: 150 },
});
const { storeUrl, fleetUrl } = await serve(ref, { port: 0 });
const { token, key } = ref;
parentPort?.postMessage({ storeUrl, fleetUrl, token, key }, []);
