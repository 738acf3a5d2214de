import { rmSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

const clients = {
  index: "src/index.ts",
  store: "src/client/store/index.ts",
  fleet: "src/client/fleet/index.ts",
  "store/schemas": "generated/store.schemas.ts",
  "fleet/schemas": "generated/fleet.schemas.ts",
  gaps: "generated/gaps.ts",
  node: "src/client/node/index.ts",
  "node/unsupported": "src/client/node/unsupported.ts",
  raw: "src/client/raw/index.ts",
  opentelemetry: "src/client/opentelemetry/index.ts",
  "tanstack-query": "src/client/tanstack-query/index.ts",
};

const servers = {
  mock: "src/mock/index.ts",
  "mock/msw": "src/mock/msw.ts",
  "mock/node": "src/mock/node.ts",
  "mock/scenarios": "src/mock/scenarios/index.ts",
  probe: "src/field/probe/index.ts",
  cli: "src/cli/main.ts",
};

const output: Options = {
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  sourcemap: true,
  // the sources themselves are in the package
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  external: [/^node:/],
};

// both builds write here at the same time, so neither of them may empty it
rmSync(new URL("dist", import.meta.url), { recursive: true, force: true });

// two builds: what the reference server does with the generated files must not weigh on a page that imports a client
export default defineConfig([
  { ...output, entry: clients },
  { ...output, entry: servers },
]);
