// Builds the page into a folder: node build.ts [folder]. The docs site calls it for its folder "try".
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { codeToHtml } from "shiki";
import { sourcesByImport } from "../../build/entry-sources.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the part of a source between `// shown` and `// end` as HTML with colors. */
async function toHtml(file: string): Promise<string> {
  const [, indent = "", shown = ""] =
    /^( *)\/\/ shown\n(.*?)^ *\/\/ end$/ms.exec(readFileSync(file, "utf8")) ?? [];
  const code = shown.replaceAll(new RegExp(`^${indent}`, "gm"), "").trimEnd();
  const html = await codeToHtml(code, {
    lang: "ts",
    // both have enough contrast on the background of the page
    themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    defaultColor: false,
    structure: "inline",
  });
  return `<code>${html.replaceAll("<br>", "\n")}</code>`;
}

/** The package's name leads to its sources, and `file.ts?code` to the code of a program as HTML. */
const resolve: esbuild.Plugin = {
  name: "sources",
  setup(build) {
    build.onResolve({ filter: /^shelfleet(?:\/|$)/ }, ({ path }) => ({
      path: join(root, sourcesByImport[path] ?? path),
    }));
    build.onResolve({ filter: /\?code$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?code$/, "")),
      namespace: "code",
    }));
    build.onLoad({ filter: /./, namespace: "code" }, async ({ path }) => ({
      contents: `export const html = ${JSON.stringify(await toHtml(path))};`,
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
