import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { clientEntries, serverEntries } from "./build/entry-sources.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const output: Options = {
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  // the programs are readable, and the sources are in the package
  sourcemap: false,
  external: [/^node:/],
};

/** Modules without state and without classes that somebody compares, and the files that get a copy of them and of what they import. */
const copies = [
  { module: /\/(inputs|store\.limits)\.ts$/, importer: /\/index\.ts$/ },
  { module: /\/(wait-queue|request-count)\.ts$/, importer: /\/token-bucket\.ts$/ },
  { module: /\/request-id\.ts$/, importer: /\/response-errors\.ts$/ },
  {
    module: /\/(store\.operations|load-schemas)\.ts$/,
    importer: /\/(list-rules|modify|apply-task|upsert-expositions)\.ts$/,
  },
];

/** Copies modules that both a client and a file that is loaded later use: a bundler would make them an own file. */
const copyShared: Plugin = {
  name: "copy-shared",
  setup(build) {
    const suffix = "?copy";
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, importer, resolveDir, kind, pluginData }) => {
      const isCopied = copies.some((copy) => copy.module.test(path) && copy.importer.test(importer));
      if (kind === "dynamic-import" || !(isCopied || pluginData === suffix)) return undefined;
      return { path: join(resolveDir, path), suffix, sideEffects: false };
    });
    build.onLoad({ filter: /\.ts$/ }, ({ path, suffix: given }) =>
      given === suffix
        ? {
            contents: readFileSync(path, "utf8"),
            loader: "ts",
            resolveDir: dirname(path),
            pluginData: suffix,
          }
        : undefined,
    );
  },
};

/** Keeps the licence of ky, which `shelfleet doctor` contains, next to its code. */
const keepLicense: Plugin = {
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
  {
    ...output,
    entry: clientEntries,
    esbuildPlugins: [copyShared],
    outDir: "dist/unmerged", // see build/merge-chunks.ts
  },
  { ...output, entry: serverEntries, esbuildPlugins: [keepLicense] },
]);
