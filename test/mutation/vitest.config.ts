import { configDefaults, defineConfig } from "vitest/config";

// a worker takes its zone from here: what reads a time in the zone of the machine gets another one than UTC
process.env["TZ"] = "Asia/Tokyo";

/** The tests that are run once for each mutant: those of the clients and of the jobs. */
export default defineConfig({
  test: {
    include: ["test/client/**/*.test.ts", "test/sync/**/*.test.ts"],
    // separate programs: no mutant is active in them
    exclude: [...configDefaults.exclude, "test/client/functions.test.ts", "**/*.long.test.ts"],
    setupFiles: ["test/mutation/eager.ts"],
    // one after another: Stryker's own comes first and says which constant is changed before any is evaluated
    sequence: { setupFiles: "list" },
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
