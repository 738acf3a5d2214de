import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { packageFolder } from "../package-under-test.ts";
import type { Scenario } from "../scenario.ts";

const generated = fileURLToPath(new URL("../generated", import.meta.url));

/** The import of README, and those of the others for the store API. */
const shelfleet = `export { storeFromEnv } from "${packageFolder}/dist/index.js";`;
const imports: Readonly<Record<string, string>> = {
  shelfleet,
  "shelfleet, with what it may load later": shelfleet,
  "openapi-fetch + ky":
    'export { default as createClient } from "openapi-fetch"; export { default as ky } from "ky";',
  "hey-api": `export * from "${generated}/hey-api/built/store/index.js";`,
  "Redocly's client": `export * from "${generated}/redocly/built/store.js";`,
  openai: 'export { default } from "openai";',
  stripe: 'export { default } from "stripe";',
};

/** The minified and gzipped size in kB of what a page loads at once, or of all that it may load. */
export function prepare(contender: string): Scenario {
  const contents = imports[contender];
  if (contents === undefined) throw new Error(`there is no bundle ${contender}`);
  return {
    async run() {
      const { metafile, outputFiles } = await build({
        stdin: { contents, resolveDir: import.meta.dirname },
        outdir: "out",
        bundle: true,
        splitting: true,
        minify: true,
        format: "esm",
        platform: "browser",
        metafile: true,
        write: false,
        logLevel: "error", // a warning about an import without side effects, which is left out
      });
      const loaded = loadedFiles(metafile, contender.endsWith("later"));
      const files = outputFiles.filter(({ path }) => loaded.some((file) => path.endsWith(`/${file}`)));
      const sizes = files.map(({ contents: bytes }) => gzipSync(bytes, { level: 9 }).length);
      return sizes.reduce((sum, bytes) => sum + bytes) / 1000;
    },
  };
}

function loadedFiles({ outputs }: Metafile, isLater: boolean): string[] {
  const loaded = Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === "<stdin>");
  for (const file of loaded)
    for (const { kind, path } of outputs[file]?.imports ?? [])
      if ((isLater || kind === "import-statement") && !loaded.includes(path)) loaded.push(path);
  return loaded;
}
