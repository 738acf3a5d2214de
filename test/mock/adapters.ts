import { setupServer } from "msw/node";
import { onTestFinished } from "vitest";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { listenOptions, mswHandlers } from "../../src/mock/msw.ts";
import { serve } from "../../src/mock/node.ts";

/** Each way to reach a reference server, for one test. */
export const adapters = [
  ["ref.fetch", ({ fetch, storeUrl }: ReferenceServer) => ({ fetch, storeUrl })],
  [
    "msw",
    (ref: ReferenceServer) => {
      const server = setupServer(...mswHandlers(ref));
      server.listen(listenOptions());
      onTestFinished(() => server.close());
      return { fetch, storeUrl: ref.storeUrl };
    },
  ],
  [
    "HTTP",
    async (ref: ReferenceServer) => {
      const { storeUrl, close } = await serve(ref);
      onTestFinished(close);
      return { fetch, storeUrl };
    },
  ],
] as const;
