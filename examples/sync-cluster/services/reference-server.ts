// A separate process, started by reference.ts. Its argument contains the options as JSON.
import { scopes } from "../../../src/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { demo } from "../settings.ts";
import type { ReferenceSettings } from "./reference.ts";

const { port, token, stores, protocolsPerStore, delay } = JSON.parse(
  process.argv[2] ?? "",
) as ReferenceSettings; // reference.ts wrote it
const ref = createReferenceServer({
  now: "system",
  store: { token, stores, ...(protocolsPerStore !== undefined && { protocolsPerStore }) },
  fleet: { keys: [{ key: demo.key, scopes: [...scopes] }] },
  journal: { limit: 0 },
});
for (const operation of ["listStores", "listProtocols", "listPhotos", "getStoreFillRates"] as const)
  if (delay > 0) ref.on(operation).delay(delay);
const served = await serve(ref, { port });
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void served.close().then(() => process.exit(0)));
process.send?.(served.storeUrl);
process.disconnect();
