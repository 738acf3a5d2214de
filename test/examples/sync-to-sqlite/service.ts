import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { atEnd } from "./program.ts";

export const token = "the-token-of-the-tests";

/** The start of the 28 days that contain the protocols of a reference server. */
export const everything = ["--since", "2025-12-04T00:00:00Z"];

/** A reference server that listens until the tests are finished. */
export async function serveReference(
  options: ReferenceServerOptions = {},
): Promise<{ ref: ReferenceServer; baseUrl: string }> {
  const ref = createReferenceServer({
    ...options,
    // the numbers of stores below are those that have an external ID
    readings: { "stores.null-external-id": "never-listed", ...options.readings },
    store: { token, stores: 60, protocolsPerStore: 20, ...options.store },
  });
  const served = await serve(ref, { port: 0 });
  atEnd(() => served.close());
  return { ref, baseUrl: served.storeUrl };
}
