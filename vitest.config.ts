import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/*.test.ts"],
    // the long suites have scripts of their own
    exclude: [...configDefaults.exclude, "test/{matrix,faults,fuzz,referee,prove}/**"],
    typecheck: {
      enabled: true,
      include: ["test/**/*.test-d.ts"],
      tsconfig: "./tsconfig.json",
      // `npm run typecheck` reports those
      ignoreSourceErrors: true,
    },
    // names only what failed, so that CI's output shows it
    ...(process.env["CI"] === undefined ? {} : { reporters: ["dot"], silent: "passed-only" }),
    // ends a test that hangs
    testTimeout: 60_000,
  },
});
