import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withGapTable } from "../../specs/generate/gap-table.ts";
import { readGaps } from "../../specs/generate/gaps.ts";

const guide = readFileSync(new URL("../../docs/gaps.md", import.meta.url), "utf8");
const [, store = "", fleet = ""] = guide.split(/^## (?:Store integration|Fleet inspection) API$/m);

it.each([
  ["store", store],
  ["fleet", fleet],
])("the tables of the %s API have a row for each gap with readings, the default in bold", (api, tables) => {
  const rows = tables.matchAll(/^\| `([\w.-]+)` \| .+\? \| \*\*([\w-]+)\*\*, .+ \| .+\. \|$/gm);
  const expected = readGaps().flatMap((gap) =>
    gap.api === api && gap.readings !== undefined ? [`${gap.id}: ${Object.keys(gap.readings)[0]}`] : [],
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(Array.from(rows, ([, id, first]) => `${id}: ${first}`).toSorted()).toEqual(expected.toSorted());
});

it("the gap table is not written to a text without its marks", () => {
  expect(withGapTable("nothing here", [])).toBe("nothing here");
});
