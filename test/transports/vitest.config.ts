import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const installed = (name: string): string => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

const shared = {
  globalSetup: "test/transports/installation.ts",
  // the files replace globals of their process
  isolate: true,
  testTimeout: 600_000,
  hookTimeout: 600_000,
} as const;

const matrix = ["test/transports/matrix.test.ts"];

/** The matrix with one version of undici: `nodeTransport` imports it by its name. */
const withUndici = (version: 7 | 8) => ({
  test: {
    ...shared,
    name: `undici ${version}`,
    include: matrix,
    alias: { undici: installed(`undici${version}`) },
    env: { UNDICI: String(version) },
  },
});

export default defineConfig({
  test: {
    // one file at a time: the matrix measures memory
    fileParallelism: false,
    projects: [
      withUndici(7),
      withUndici(8),
      {
        test: {
          ...shared,
          name: "others",
          include: ["test/transports/**/*.test.ts"],
          exclude: [...matrix, "test/transports/node_modules/**"],
        },
      },
    ],
  },
});
