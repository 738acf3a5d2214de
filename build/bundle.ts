// Bundles the entry points into `dist/`. The modules that a client loads at once are one file for both clients and one for
// each, because a bundler would otherwise write a small file for every module that lazily loaded ones share with it.
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { type GetModuleInfo, type Plugin, type RollupOptions, rollup } from "rollup";
import { entrySources, untypedSources } from "./entry-sources.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = { ...entrySources, ...untypedSources };
const dist = `${root}dist`;

const typescript: Plugin = {
  name: "typescript",
  async transform(source, file) {
    const { code, map } = await transform(source, {
      loader: "ts",
      target: "es2023",
      sourcemap: "external",
      sourcefile: file,
      sourcesContent: false,
    });
    return { code, map };
  },
};

const shared: RollupOptions = {
  plugins: [typescript],
  external: /^[^./]/,
  treeshake: { moduleSideEffects: false },
  onwarn(warning) {
    throw new Error(warning.message);
  },
};

function toInput(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${root}${sources[name]}.ts`]));
}

/** Returns a module and all that it imports, without what it loads later. */
function loadedAtOnce(entry: string, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

const output = {
  dir: dist,
  format: "es",
  sourcemap: true,
  sourcemapExcludeSources: true,
  chunkFileNames: "chunk-[name]-[hash].js",
} as const;

rmSync(dist, { recursive: true, force: true });

const isServer = (name: string): boolean => /^(?:mock|probe|cli)/.test(name);
const names = Object.keys(sources);
const clients = await rollup({ ...shared, input: toInput(names.filter((name) => !isServer(name))) });
await clients.write({
  ...output,
  manualChunks(id, { getModuleInfo }) {
    const [isStore, isFleet] = ["store", "fleet"].map((name) =>
      loadedAtOnce(`${root}${sources[name]}.ts`, getModuleInfo).has(id),
    );
    if (isStore && isFleet) return "client";
    if (isStore) return "store";
    if (!isFleet) return undefined;
    // what lazily loaded modules of the store client use too is apart from the fleet client
    return id.includes("/client/core/") ? "shared" : "fleet";
  },
});
await clients.close();

// a separate build: the reference server's use of the generated files must not weigh on a page that imports a client
const servers = await rollup({ ...shared, input: toInput(names.filter(isServer)) });
await servers.write(output);
await servers.close();
chmodSync(`${dist}/cli.js`, 0o755);
