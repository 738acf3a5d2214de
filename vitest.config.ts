import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/*.test.ts"],
    // the long suites have scripts of their own
    exclude: [...configDefaults.exclude, "test/{matrix,faults,fuzz,referee}/**"],
    typecheck: {
      enabled: true,
      include: ["test/**/*.test-d.ts"],
      tsconfig: "./tsconfig.json",
      // `npm run typecheck` reports those
      ignoreSourceErrors: true,
    },
    testTimeout: 20_000,
  },
});
