// Bundles the declarations that tsc has written into one file per entry point. Those of the clients and the jobs have maps that
// lead into `src/`; the sources of the rest, which is half of the code, are not in the package.
// Types that entry points share are in separate chunks, so that a class is the same type from everywhere.
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { entrySources } from "./entry-sources.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = `${root}dist/types/`;

interface Manifest {
  exports: Record<string, string | { types?: string }>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;

const declared = Object.values(manifest.exports)
  .flatMap((target) => (typeof target === "object" && target.types !== undefined ? [target.types] : []))
  .map((file) => file.replace(/^\.\/dist\/|\.d\.ts$/g, ""));
const missing = declared.filter((name) => entrySources[name] === undefined);
if (missing.length > 0) throw new Error(`build/entry-sources.ts has no source for ${missing.join(", ")}`);

const packages = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
const bundle = await rollup({
  input: Object.fromEntries(declared.map((name) => [name, `${compiled}${entrySources[name]}.d.ts`])),
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
  // so that a consumer's declarations can name the types that only the entry of one API exports
  banner: ({ name }) =>
    name === "index" ? 'import type {} from "./store.js";\nimport type {} from "./fleet.js";' : "",
  chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, "")}.d.ts`,
});
await bundle.close();
rmSync(compiled, { recursive: true });
const isPacked = /\bsrc\/(?:client|sync|wire)\/|\bgenerated\/\w+\.(?:enums|limits)\.ts$/;
for (const map of globSync(`${root}dist/**/*.d.ts.map`)) {
  const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
  if (sources.every((source) => isPacked.test(source))) continue;
  const declarations = map.replace(/\.map$/, "");
  writeFileSync(
    declarations,
    readFileSync(declarations, "utf8").replace(/^\/\/# sourceMappingURL=.*\n/m, ""),
  );
  rmSync(map);
}
