import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { gaps } from "../../generated/gaps.ts";
import { withGapTable } from "../../specs/generate/gap-table.ts";

const guide = readFileSync(new URL("../../docs/gaps.md", import.meta.url), "utf8");
const [, store = "", fleet = ""] = guide.split(/^## (?:Store integration|Fleet inspection) API$/m);

it.each([
  ["store", store],
  ["fleet", fleet],
])("the tables of the %s API have a row for each gap with readings, the default in bold", (api, tables) => {
  const rows = tables.matchAll(/^\| `([\w.-]+)` \| .+\? \| \*\*([\w-]+)\*\*, .+ \| .+\. \|$/gm);
  const expected = Object.entries(gaps).flatMap(([id, gap]) =>
    gap.api === api && "readings" in gap ? [`${id}: ${Object.keys(gap.readings)[0]}`] : [],
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(Array.from(rows, ([, id, first]) => `${id}: ${first}`).toSorted()).toEqual(expected.toSorted());
});

it("the gap table is not written to a text without its marks", () => {
  expect(withGapTable("nothing here", [])).toBe("nothing here");
});
