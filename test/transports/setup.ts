// Makes every client of a test without a transport send with undici: over sockets, or to the test's `fetch`.

import { vi } from "vitest";
import type { Fetch } from "../../src/client/core/transport/fetch.ts";
import type { Transport } from "../../src/client/core/transport/transport.ts";
import { nodeTransport } from "../../src/client/node/index.ts";
import { fetchDispatcher } from "./fetch-dispatcher.ts";

const platformFetch = globalThis.fetch;
const overSockets = nodeTransport();

vi.mock("../../src/client/core/transport/fetch.ts", () => ({
  fetchTransport: (given: Fetch | undefined): Transport => {
    const withGivenFetch = given && nodeTransport({ dispatcher: fetchDispatcher(given) });
    return (request) => {
      if (withGivenFetch !== undefined) return withGivenFetch(request);
      const stubbed = globalThis.fetch === platformFetch ? undefined : globalThis.fetch;
      return stubbed === undefined
        ? overSockets(request)
        : nodeTransport({ dispatcher: fetchDispatcher(stubbed) })(request);
    };
  },
}));
