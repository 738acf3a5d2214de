import { readFileSync, writeFileSync } from "node:fs";
import { plot } from "./plot.ts";
import type { Result } from "./result.ts";
import { replaceBlock, resultsBlock } from "./table.ts";

/** The files that `--readme` writes. */
export const published = {
  readme: new URL("README.md", import.meta.url),
  figures: new URL("figures.json", import.meta.url),
  plot: new URL("figures.svg", import.meta.url),
};

export function publish(result: Result): void {
  const readme = replaceBlock(readFileSync(published.readme, "utf8"), resultsBlock(result));
  writeFileSync(published.readme, readme);
  writeFileSync(published.plot, plot(result));
  writeFileSync(published.figures, `${JSON.stringify(result, null, 2)}\n`);
}
