// Builds the page into a folder: node build.ts [folder]. The docs site calls it for its folder "try".
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { sourcesByImport } from "../../build/entry-sources.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The package's name leads to its sources, and `file.ts?text` to the text of a file. */
const resolve: esbuild.Plugin = {
  name: "sources",
  setup(build) {
    build.onResolve({ filter: /^shelfleet(?:\/|$)/ }, ({ path }) => ({
      path: join(root, sourcesByImport[path] ?? path),
    }));
    build.onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?text$/, "")),
      namespace: "text",
    }));
    build.onLoad({ filter: /./, namespace: "text" }, ({ path }) => ({
      contents: `export const text = ${JSON.stringify(readFileSync(path, "utf8"))};`,
    }));
  },
};

/** Writes `index.html`, `page.js` and `page.css`. */
export async function buildPlayground(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await esbuild.build({
    entryPoints: [join(here, "src/page.ts"), join(here, "src/page.css")],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    logLevel: "warning",
    plugins: [resolve],
  });
  copyFileSync(join(here, "index.html"), join(folder, "index.html"));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildPlayground(process.argv[2] ?? join(here, "dist"));
