import { rmSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { clientEntries, serverEntries } from "./build/entry-sources.ts";

const output: Options = {
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  // the programs are readable, and the sources are in the package
  sourcemap: false,
  external: [/^node:/],
};

// both builds write here at the same time, so neither of them may empty it
rmSync(new URL("dist", import.meta.url), { recursive: true, force: true });

// two builds: the reference server's use of the generated files must not weigh on a page that imports a client
export default defineConfig([
  { ...output, entry: clientEntries },
  { ...output, entry: serverEntries },
]);
