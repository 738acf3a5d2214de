import { FaultTable } from "../faults/fault-table.ts";
import { proofConfig } from "../proof/config.ts";

const { test } = proofConfig("transports", [new FaultTable()]);

/** Suites that use clients, run once more with undici in place of `fetch`. */
export default {
  test: {
    ...test,
    include: ["test/{store,fleet,faults}/**/*.test.ts"],
    setupFiles: ["test/transports/setup.ts"],
    // tells what becomes of an error of `fetch` itself
    testNamePattern: /^(?!.*what a fetch of the caller throws)/,
  },
};
