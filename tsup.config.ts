import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { checkEntries, clientEntries, serverEntries } from "./build/entry-sources.ts";

const output: Options = {
  format: "esm",
  platform: "neutral",
  target: "es2023",
  splitting: true,
  // the programs are readable
  sourcemap: false,
  external: [/^node:/],
};

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** Keeps the licences of ky, which `shelfleet doctor` contains, and of zod, which the checks contain, next to their code. */
const keepLicenses: Plugin = {
  name: "keep-licenses",
  setup(build) {
    const keep = (name: string, module: RegExp, license: string): void =>
      build.onLoad({ filter: module }, ({ path }) => {
        const text = readFileSync(join(dirname(path), license), "utf8");
        return { contents: `/*!\n${name}\n\n${text}*/\n${readFileSync(path, "utf8")}`, loader: "js" };
      });
    keep("ky", /[\\/]node_modules[\\/]ky[\\/]distribution[\\/]index\.js$/, "../license");
    keep("zod", /[\\/]node_modules[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/, "../../LICENSE");
  },
};

/** Leaves the checks, which a client loads later, to their own build. */
const loadChecks: Plugin = {
  name: "load-checks",
  setup(build) {
    // the path is that from a file or chunk in `dist`
    build.onResolve({ filter: /\/contract-check\.ts$/ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import"
        ? { path: `./checks/${basename(dirname(join(resolveDir, path)))}.js`, external: true }
        : undefined,
    );
  },
};

// the builds write here at the same time, so none of them may empty it
rmSync(new URL("dist", import.meta.url), { recursive: true, force: true });

// three builds: the reference server's use of the generated files must not weigh on a page that imports a client, and what a
// client loads later shares no file with it
export default defineConfig([
  { ...output, entry: clientEntries, esbuildPlugins: [loadChecks] },
  { ...output, entry: serverEntries, esbuildPlugins: [loadChecks, keepLicenses] },
  { ...output, entry: checkEntries, noExternal: ["zod"], esbuildPlugins: [keepLicenses] },
]);
