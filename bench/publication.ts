import { readFileSync, writeFileSync } from "node:fs";
import { plot } from "./plot.ts";
import type { Result } from "./result.ts";
import { resultsBlock, withBlock } from "./speed-tables.ts";

/** The files that `--readme` writes. */
export const published = {
  readme: new URL("README.md", import.meta.url),
  figures: new URL("figures.json", import.meta.url),
  plot: new URL("figures.svg", import.meta.url),
};

export async function publish(result: Result, log: (line: string) => void): Promise<void> {
  const readme = withBlock(readFileSync(published.readme, "utf8"), resultsBlock(result));
  const image = plot(result);
  writeFileSync(published.readme, readme);
  writeFileSync(published.figures, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(published.plot, image);
  log("written: bench/README.md, bench/figures.json, bench/figures.svg");
}
