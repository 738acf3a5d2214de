import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { clientEntries, serverEntries } from "./build/entry-sources.ts";

const output: Options = {
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  // the programs are readable
  sourcemap: false,
  external: [/^node:/],
};

/** Keeps the licence of ky, which `shelfleet doctor` contains, next to its code. */
const keepLicense: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "keep-license",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]ky[\\/]distribution[\\/]index\.js$/ }, ({ path }) => {
      const license = readFileSync(join(dirname(path), "..", "license"), "utf8");
      return { contents: `/*!\nky\n\n${license}*/\n${readFileSync(path, "utf8")}`, loader: "js" };
    });
  },
};

// both builds write here at the same time, so neither of them may empty it
rmSync(new URL("dist", import.meta.url), { recursive: true, force: true });

// two builds: the reference server's use of the generated files must not weigh on a page that imports a client
export default defineConfig([
  { ...output, entry: clientEntries },
  { ...output, entry: serverEntries, esbuildPlugins: [keepLicense] },
]);
