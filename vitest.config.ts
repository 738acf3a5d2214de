import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { sourcesByImport } from "./build/entry-sources.ts";

// replace a package that other tests load: msw by another version, openapi-fetch by one that is watched
const isolated = ["test/mock/msw.test.ts", "test/client/operations.test.ts", "test/client/core/http.test.ts"];

// the long tests and suites have scripts of their own
const excluded = [
  ...configDefaults.exclude,
  "test/{foreign,matrix,postgres,referee,transports}/**",
  "test/prove/!(judge|lines|progress).test.ts",
  "**/*.long.test.ts",
];

const shared = {
  // the examples import the package by its name; the tests need no build
  alias: Object.entries(sourcesByImport).map(([name, source]) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(new URL(source, import.meta.url)),
  })),
  // starts faster than processes; the types are checked by `npm run lint`
  pool: "threads",
  // the default is one thread less than cores
  maxWorkers: "100%",
  // both only end what hangs
  testTimeout: 600_000,
  hookTimeout: 600_000,
} as const;

export default defineConfig({
  test: {
    // names only what failed, so that CI's output shows it
    ...(process.env["CI"] === undefined ? {} : { reporters: ["dot"], silent: "passed-only" }),
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts", "examples/*.test.ts"],
          exclude: [...excluded, ...isolated],
          // loading the modules again for each file took 89 of 151 seconds of CPU time
          isolate: false,
        },
      },
      { test: { ...shared, name: "isolated", include: isolated } },
    ],
  },
});
