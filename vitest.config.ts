import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/*.test.ts"],
    // the long tests and suites have scripts of their own
    exclude: [...configDefaults.exclude, "test/{matrix,faults,fuzz,referee,prove}/**", "**/*.long.test.ts"],
    // starts faster than processes; the types are checked by `npm run typecheck`
    pool: "threads",
    // names only what failed, so that CI's output shows it
    ...(process.env["CI"] === undefined ? {} : { reporters: ["dot"], silent: "passed-only" }),
    // both only end what hangs
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
