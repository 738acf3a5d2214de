import { defineConfig } from "vitest/config";

/** The suites of `shelfleet prove` that take long or start programs. */
export default defineConfig({
  test: {
    include: ["test/prove/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    ...(process.env["CI"] === undefined ? {} : { reporters: ["dot"], silent: "passed-only" }),
  },
});
