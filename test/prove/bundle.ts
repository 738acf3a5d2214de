import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Replaces the sources of the package by what is published. */
const overPublished: Plugin = {
  name: "over-published",
  setup({ onResolve }) {
    onResolve({ filter: /\/src\/(?:sync\/)?index\.ts$/ }, ({ path: source }) => ({
      path: path(`../../dist/${source.endsWith("sync/index.ts") ? "sync" : "index"}.js`),
    }));
  },
};

/** The command `shelfleet` as it is published. */
export const publishedCommand = path("../../dist/cli.js");

/**
 * Bundles the programs over the built package into a folder, as a user ships them, and returns the file to start: Node takes
 * twice the processor time for the sources, and every scenario starts a process.
 */
export async function bundlePrograms(folder: string): Promise<string> {
  if (!existsSync(publishedCommand)) throw new Error("There is no dist: npm run build");
  await build({
    entryPoints: [path("programs/main.ts")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    bundle: true,
    splitting: true,
    plugins: [overPublished],
    logLevel: "error",
  });
  return join(folder, "main.mjs");
}
