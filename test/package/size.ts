import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The size that a page loads at once for each import, in kilobytes of 1 000 bytes. */
const limits = [
  // as README shows it
  { name: "storeFromEnv", from: "shelfleet", source: "src/index.ts", limit: 20.5 },
  { name: "StoreClient", from: "shelfleet/store", source: "src/client/store/index.ts", limit: 20 },
  { name: "FleetClient", from: "shelfleet/fleet", source: "src/client/fleet/index.ts", limit: 22.5 },
  { name: "StoreClient, FleetClient", from: "shelfleet", source: "src/index.ts", limit: 26 },
];

type Outputs = Metafile["outputs"];

/** The chunks that `file` loads at once; those behind an `import()` are not among them. */
function loadedAtOnce(outputs: Outputs, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement") loadedAtOnce(outputs, path, seen);
  }
  return seen;
}

interface Size {
  /** The gzipped bytes that are loaded at once, and those that may be loaded later. */
  now: number;
  later: number;
  /** The minified bytes of each module that is loaded at once. */
  modules: Map<string, number>;
}

/** Leaves out what is loaded later: with it, esbuild counts modules that both parts may use. */
const withoutLater: Plugin = {
  name: "without-later",
  setup({ onResolve }) {
    onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

async function measure(name: string, from: string, plugins: Plugin[] = []): Promise<Size> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "${from}";`, resolveDir: root },
    outdir: "out",
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
    logLevel: "error",
    plugins,
  });
  const entry = Object.keys(metafile.outputs).find(
    (file) => metafile.outputs[file]?.entryPoint === "<stdin>",
  );
  const atOnce = loadedAtOnce(metafile.outputs, entry ?? "out/stdin.js");
  const sizes = outputFiles.map((file) => ({
    atOnce: [...atOnce].some((path) => file.path.replaceAll("\\", "/").endsWith(path)),
    bytes: gzipSync(file.contents, { level: 9 }).length,
  }));
  const sum = (wanted: boolean): number =>
    sizes.filter(({ atOnce: loaded }) => loaded === wanted).reduce((total, { bytes }) => total + bytes, 0);
  const inputs = [...atOnce].flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}));
  const modules = new Map(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput]));
  return { now: sum(true), later: sum(false), modules };
}

/** Prints the modules of a client by size. The sources are measured, because the package contains few large files. */
async function printModules(name: string, source: string): Promise<void> {
  const { modules } = await measure(name, `./${source}`, [withoutLater]);
  console.log(`\n${name}: minified bytes of each module`);
  for (const [path, bytes] of [...modules].toSorted(([, a], [, b]) => b - a))
    if (bytes > 0) console.log(`${String(bytes).padStart(7)}  ${path}`);
}

if (!existsSync(new URL("../../dist/index.js", import.meta.url))) {
  console.error("dist is missing: npm run build comes first");
  process.exit(1);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;
for (const { name, from, limit } of limits) {
  const { now, later, modules } = await measure(name, from);
  const tooBig = now > limit * 1000;
  const zod = [...modules.keys()].some((path) => path.includes("node_modules/zod/"));
  console.log(`${from}: ${kilobytes(now)} of ${limit} kB gzip, ${kilobytes(later)} more when needed`);
  if (tooBig) console.error(`${from} is over its limit`);
  if (zod) console.error(`${from} loads zod before a write needs it`);
  if (tooBig || zod) process.exitCode = 1;
}
for (const { name, source } of limits.slice(0, 2)) await printModules(name, source);
