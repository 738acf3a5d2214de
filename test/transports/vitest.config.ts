import { configDefaults } from "vitest/config";
import { FaultTable } from "../faults/fault-table.ts";
import { proofConfig } from "../proof/config.ts";

const { test } = proofConfig("transports", [new FaultTable()]);

/** The suites that use clients, with undici instead of `fetch`. */
export default {
  test: {
    ...test,
    // loading the modules again for each file took 28 of 94 seconds of CPU time
    isolate: false,
    include: ["test/client/{store,fleet}/**/*.test.ts", "test/faults/**/*.test.ts"],
    exclude: configDefaults.exclude,
    setupFiles: ["test/transports/setup.ts"],
    // errors that `fetch` itself throws, redirects that it follows, and browsers
    testNamePattern:
      /^(?!.*(what a fetch of the caller throws|whose redirect a browser hides|whose redirect fetch followed))/,
  },
};
