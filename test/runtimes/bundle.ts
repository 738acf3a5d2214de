import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";

/** A program of the project and everything that it imports, in one string. */
export async function bundle(project: string, file: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [join(project, file)],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
