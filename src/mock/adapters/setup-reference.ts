import type { RequestHandler } from "msw";
import type * as mswNode from "msw/node";
import { createReferenceServer, type ReferenceServer } from "../reference-server.ts";
import type { ReferenceServerOptions } from "../server/options.ts";
import { listenOptions, type MswOptions, mswHandlers } from "./msw.ts";

/** A reference server behind msw in Node. Its functions need no `this`. */
export interface MswReference {
  readonly ref: ReferenceServer;
  /** Intercepts requests from now on. A request without a handler is an error. */
  readonly listen: () => Promise<void>;
  /** Adds handlers that respond before the reference server, until `reset()`. */
  readonly use: (...handlers: RequestHandler[]) => void;
  /** Removes the handlers of `use` and resets the reference server. */
  readonly reset: () => void;
  /** Intercepts no further request. */
  readonly close: () => void;
}

/** Bundlers of pages do not see this import: msw has no `msw/node` for them. */
const MSW_NODE = "msw/node";

/**
 * Creates a reference server and the msw server that it responds to.
 *
 * @example
 * const mock = setupReference({ storeUrl: "https://stores.example.com", store: { token: "secret" } });
 * beforeAll(mock.listen);
 * afterEach(mock.reset);
 * afterAll(mock.close);
 */
export function setupReference(
  options: ReferenceServerOptions = {},
  mswOptions: MswOptions = {},
): MswReference {
  const ref = createReferenceServer(options);
  let server: ReturnType<typeof mswNode.setupServer> | undefined;
  return {
    ref,
    async listen() {
      // the module of the constant
      const msw = (await import(/* @vite-ignore */ /* webpackIgnore: true */ MSW_NODE)) as typeof mswNode;
      server = msw.setupServer(...mswHandlers(ref, mswOptions));
      server.listen(listenOptions());
    },
    use(...handlers) {
      if (server === undefined) throw new Error("use: listen() comes first");
      server.use(...handlers);
    },
    reset() {
      server?.resetHandlers();
      ref.reset();
    },
    close() {
      server?.close();
      server = undefined;
    },
  };
}
