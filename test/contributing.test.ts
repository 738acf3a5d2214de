import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const text = read("docs/CONTRIBUTING.md");
const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;

/** The names in the first cells of the tables of a section. */
function namesIn(section: string): string[] {
  const part = text.split(/^## /m).find((one) => one.startsWith(section)) ?? "";
  const cells = [...part.matchAll(/^\| (`.+?) \|/gm)].map(([, cell]) => cell ?? "");
  return cells.filter((cell) => !cell.includes("…")).flatMap((cell) => cell.replaceAll("`", "").split(", "));
}

describe("CONTRIBUTING.md", () => {
  it("has exactly one line for each script", () => {
    expect(namesIn("Scripts").toSorted()).toEqual(Object.keys(manifest["scripts"] ?? {}).toSorted());
  });

  it("has exactly one line for each dependency", () => {
    const { dependencies, devDependencies, peerDependencies } = manifest;
    const all = new Set(
      [dependencies, devDependencies, peerDependencies].flatMap((one) => Object.keys(one ?? {})),
    );
    expect(namesIn("Dependencies").toSorted()).toEqual([...all].toSorted());
  });
});
