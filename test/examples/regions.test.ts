import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocks } from "../documentation.ts";
import { isShown, regionsOf } from "../prove/lines.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const regions = globSync("examples/*.ts", { cwd: root }).flatMap((file) =>
  regionsOf(readFileSync(root + file, "utf8")).map((region) => ({ file, ...region })),
);

describe("the lines of an example", () => {
  it.each(regions)("are those of the document that they name: $file, $document", (region) => {
    expect(isShown(region, blocks())).toBe(true);
  });

  it("are marked in several programs", () => {
    expect(new Set(regions.map(({ file }) => file)).size).toBeGreaterThan(3);
  });
});
