import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../..", import.meta.url));

/** The minified size in bytes of a module with this text, without zod. */
async function bundle(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    external: ["zod/mini"],
  });
  return outputFiles.reduce((sum, { contents: bytes }) => sum + bytes.length, 0);
}

it("a bundle contains only the schemas that are imported", async () => {
  expect(await bundle('export { zOpeningTime } from "./generated/store.schemas.ts";')).toBeLessThan(250);
  expect(await bundle('export * from "./generated/store.schemas.ts";')).toBeGreaterThan(4_000);
});

it("a bundle contains only the names of the readings, and no prose", async () => {
  expect(await bundle('export { mockReadings } from "./generated/readings.ts";')).toBeLessThan(8_000);
});
