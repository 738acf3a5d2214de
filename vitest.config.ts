import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
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
