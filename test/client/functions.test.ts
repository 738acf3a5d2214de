import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Count {
  functions: string[];
  files: number;
}

const program = fileURLToPath(new URL("functions.ts", import.meta.url));
const output = execFileSync(process.execPath, [program], { encoding: "utf8" });
const counts = JSON.parse(output) as Record<string, Count>; // what the program prints

// A reader who follows a call should get to its end: more functions need a reason, and this table a change.
describe("a warm call", () => {
  it.each([
    ["stores.get", 24, 9],
    ["stores.upsert", 30, 11],
    ["two pages of protocols", 70, 16],
  ])("%s runs through at most %i functions in %i files", (name, functions, files) => {
    expect(counts[name]?.functions.length).toBeLessThanOrEqual(functions);
    expect(counts[name]?.files).toBeLessThanOrEqual(files);
  });
});
