import { configDefaults, defineConfig } from "vitest/config";

/** `npm run test:long`: the tests that start programs, replay all readings or take long. */
export default defineConfig({
  test: {
    include: ["test/**/*.long.test.ts"],
    exclude: configDefaults.exclude,
    // the default is one process less than cores; many of these tests wait for programs
    maxWorkers: "100%",
    ...(process.env["CI"] === undefined ? {} : { reporters: ["dot"], silent: "passed-only" }),
    // both only end what hangs
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
