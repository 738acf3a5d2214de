import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The size that a page loads at once for each import, in kilobytes of 1 000 bytes. */
const limits = [
  { label: "shelfleet/store", code: 'export { StoreClient } from "shelfleet/store";', limit: 30 },
  { label: "shelfleet/fleet", code: 'export { FleetClient } from "shelfleet/fleet";', limit: 30 },
  { label: "shelfleet", code: 'export { StoreClient, FleetClient } from "shelfleet";', limit: 37 },
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

async function measure(code: string): Promise<{ now: number; later: number; zod: boolean }> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
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
  const inputs = [...atOnce].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  return {
    now: sum(true),
    later: sum(false),
    zod: inputs.some((input) => input.includes("node_modules/zod/")),
  };
}

if (!existsSync(new URL("../../dist/index.js", import.meta.url))) {
  console.error("dist is missing: npm run build comes first");
  process.exit(1);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;
for (const { label, code, limit } of limits) {
  const { now, later, zod } = await measure(code);
  const tooBig = now > limit * 1000;
  console.log(`${label}: ${kilobytes(now)} of ${limit} kB gzip, ${kilobytes(later)} more when needed`);
  if (tooBig) console.error(`${label} is over its limit`);
  if (zod) console.error(`${label} loads zod before a write needs it`);
  if (tooBig || zod) process.exitCode = 1;
}
