import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    store: "src/store/index.ts",
    fleet: "src/fleet/index.ts",
    "store/schemas": "generated/store.schemas.ts",
    "fleet/schemas": "generated/fleet.schemas.ts",
    mock: "src/mock/index.ts",
    "mock/msw": "src/mock/msw.ts",
    "mock/node": "src/mock/node.ts",
    gaps: "generated/gaps.ts",
    cli: "src/cli.ts",
  },
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  sourcemap: true,
  // the sources themselves are in the package
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
  external: [/^node:/],
});
