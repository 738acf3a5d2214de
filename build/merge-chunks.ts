// Merges the chunks of the clients in `dist/`: what a client loads at once is its entry point and one file for both clients.
// tsup writes a small file for every module that a lazily loaded one shares with a client.
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GetModuleInfo, type Plugin, rollup } from "rollup";
import { clientEntries } from "./entry-sources.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const unmerged = `${dist}unmerged/`;
const fileOf = (name: string): string => `${unmerged}${name}.js`;

/** Reads the maps of the chunks, so that those of the merged files lead to the sources. */
const maps: Plugin = {
  name: "maps",
  load: (file) => ({ code: readFileSync(file, "utf8"), map: readFileSync(`${file}.map`, "utf8") }),
};

/** Returns a file and all that it imports, without what it loads later. */
function loadedAtOnce(file: string, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set([file]);
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

const bundle = await rollup({
  input: Object.fromEntries(Object.keys(clientEntries).map((name) => [name, fileOf(name)])),
  plugins: [maps],
  external: /^[^./]/,
  treeshake: { moduleSideEffects: false },
  onwarn(warning) {
    throw new Error(warning.message);
  },
});
await bundle.write({
  dir: dist,
  format: "es",
  sourcemap: true,
  sourcemapExcludeSources: true,
  hoistTransitiveImports: false,
  chunkFileNames: "chunk-[name]-[hash].js",
  manualChunks: (id, { getModuleInfo }) =>
    ["store", "fleet"].every((name) => loadedAtOnce(fileOf(name), getModuleInfo).has(id))
      ? "client"
      : undefined,
});
await bundle.close();
rmSync(unmerged, { recursive: true });
