import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePrograms, publishedCommand } from "./bundle.ts";

// Proves the lines of the guides as a program that is started for each scenario. Takes the flags of `shelfleet prove`.

const folder = mkdtempSync(join(tmpdir(), "prove-guides-"));
try {
  const program = [process.execPath, await bundlePrograms(folder), "guides"];
  // the programs wait more than they work
  const flags = ["--jobs", String(5 * availableParallelism()), ...process.argv.slice(2)];
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [publishedCommand, "prove", ...flags, "--", ...program], {
    stdio: "inherit",
  });
  console.error(`in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
