import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// in a child process, so that only the calls are measured
const script = fileURLToPath(new URL("call-path.ts", import.meta.url));
const measured = JSON.parse(
  execFileSync(process.execPath, [script, "--json"], { encoding: "utf8" }),
) as Record<string, { functions: string[]; files: string[] }>;

describe("a warm call", () => {
  it.each([
    ["stores.get", 35, 16],
    ["stores.upsert", 41, 20],
    ["protocols.list().pages()", 106, 33],
  ])(
    "runs through few named functions in few files: %s at most %i functions in %i files",
    (call, functions, files) => {
      const path = measured[call];
      expect(path?.functions.length).toBeGreaterThan(0);
      expect(path?.functions.length, path?.functions.join("\n")).toBeLessThanOrEqual(functions);
      expect(path?.files.length, path?.files.join("\n")).toBeLessThanOrEqual(files);
    },
  );
});
