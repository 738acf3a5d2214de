import { rmSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { clientEntries, serverEntries } from "./build/entry-sources.ts";

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

// two builds: the reference server's use of the generated files must not weigh on a page that imports a client
export default defineConfig([
  { ...output, entry: clientEntries, outDir: "dist/unmerged" }, // see build/merge-chunks.ts
  { ...output, entry: serverEntries },
]);
