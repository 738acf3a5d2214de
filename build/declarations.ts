// Bundles the declarations that tsc has written into one file per entry point, with maps that lead into `src/`.
// Types that entry points share are in chunks of their own, so that a class is the same type from everywhere.
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = `${root}dist/types/`;

interface Manifest {
  exports: Record<string, string | { types?: string }>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;

/** The source of each entry point, by the name of its declaration file. */
const sources: Record<string, string> = {
  index: "src/index",
  store: "src/store/index",
  fleet: "src/fleet/index",
  "store/schemas": "generated/store.schemas",
  "fleet/schemas": "generated/fleet.schemas",
  gaps: "generated/gaps",
  node: "src/node/index",
  mock: "src/mock/index",
  "mock/msw": "src/mock/msw",
  "mock/node": "src/mock/node",
  probe: "src/probe/index",
};

const declared = Object.values(manifest.exports)
  .flatMap((target) => (typeof target === "object" && target.types !== undefined ? [target.types] : []))
  .map((file) => file.replace(/^\.\/dist\/|\.d\.ts$/g, ""));
const missing = declared.filter((name) => sources[name] === undefined);
if (missing.length > 0) throw new Error(`build/declarations.ts has no source for ${missing.join(", ")}`);

const packages = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
const bundle = await rollup({
  input: Object.fromEntries(declared.map((name) => [name, `${compiled}${sources[name]}.d.ts`])),
  external: (id) =>
    id.startsWith("node:") || packages.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [dts({ sourcemap: true })],
  onwarn(warning) {
    // shared types that no entry point exports by name are reached through those that use them
    if (!warning.message.includes("still references private shared type exports"))
      throw new Error(warning.message);
  },
});
await bundle.write({
  dir: `${root}dist`,
  format: "es",
  sourcemap: true,
  entryFileNames: "[name].d.ts",
  chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, "")}.d.ts`,
});
await bundle.close();
rmSync(compiled, { recursive: true });
