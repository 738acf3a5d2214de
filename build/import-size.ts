import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

type Outputs = Metafile["outputs"];

/** What a page loads for one import. */
export interface ImportSize {
  /** The number of files that are loaded at once. */
  files: number;
  /** The gzipped bytes that are loaded at once, and those that may be loaded later. */
  now: number;
  later: number;
  /** The minified bytes of each module that is loaded at once. */
  modules: Map<string, number>;
}

/** Returns the chunks that `file` loads at once; those behind an `import()` are not among them. */
function loadedAtOnce(outputs: Outputs, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement") loadedAtOnce(outputs, path, seen);
  }
  return seen;
}

/** Leaves out what is loaded later: with it, esbuild counts modules that both parts may use. */
export const withoutLater: Plugin = {
  name: "without-later",
  setup(bundle) {
    bundle.onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** Measures `import { name } from "from"` as a bundler for browsers leaves it. */
export async function measureImport(name: string, from: string, plugins: Plugin[] = []): Promise<ImportSize> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "${from}";`, resolveDir: root },
    outdir: "out",
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    tsconfigRaw: {}, // that of the project leads to the sources
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
    isNow: [...atOnce].some((path) => file.path.replaceAll("\\", "/").endsWith(path)),
    bytes: gzipSync(file.contents, { level: 9 }).length,
  }));
  const sum = (isNow: boolean): number =>
    sizes.filter((size) => size.isNow === isNow).reduce((total, { bytes }) => total + bytes, 0);
  const inputs = [...atOnce].flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}));
  const modules = new Map(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput]));
  return { files: atOnce.size, now: sum(true), later: sum(false), modules };
}
