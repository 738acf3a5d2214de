/** The rules and the table of docs/guarantees.md have the same rows. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rows } from "./rows.ts";

const text = readFileSync(new URL("../../docs/guarantees.md", import.meta.url), "utf8");
const table = text
  .split("\n")
  .filter((line) => /^\| [A-Z]-\d+ \|/.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()))
  .map(([id = "", , , , unnoticed = ""]) => ({ id, unnoticed }));

test("each row of the guarantees has a rule, and each rule a row", () => {
  expect(Object.keys(rows).toSorted()).toEqual(table.map(({ id }) => id).toSorted());
});

test.each(table.filter(({ id }) => rows[id]?.isSilent !== undefined))(
  "row $id says what to do, because its rule excuses a silent failure",
  ({ unnoticed }) => {
    expect(unnoticed).not.toBe("");
  },
);
