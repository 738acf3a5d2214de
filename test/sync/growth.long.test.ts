import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** `ITEMS=1000000` measures a million: minutes. */
const items = Number(process.env["ITEMS"] ?? 20_000);

it("a pull, a mirror and a second mirror keep no more of an item than the walk of the client", async () => {
  const folder = mkdtempSync(join(tmpdir(), "growth-"));
  const program = fileURLToPath(new URL("growth-program.ts", import.meta.url));
  const points = [0.1, 0.5, 1].map((share) => String(items * share));
  const args = ["--expose-gc", program, join(folder, "growth.sqlite"), ...points];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  rmSync(folder, { recursive: true });
  const { rows, sizes } = JSON.parse(stdout) as { rows: { megabytes: number }[]; sizes: number[] };
  process.stdout.write(`${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  expect(sizes).toEqual([items, items]);
  const heaps = rows.map(({ megabytes }) => megabytes);
  expect(heaps).toHaveLength(9);
  // the walk of a client keeps the ID of each item: 40 bytes for a short one
  expect(Math.max(...heaps) - Math.min(...heaps)).toBeLessThan(10 + (60 * items) / 1e6);
});
