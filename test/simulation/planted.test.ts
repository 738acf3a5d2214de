import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plantedFaults } from "./planted.ts";

test.each(plantedFaults)(
  "the code that the planted fault “$name” replaces occurs once in its file",
  ({ file, find }) => {
    const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8");
    expect(text.split(find)).toHaveLength(2);
  },
);

const table = readFileSync(new URL("planted.md", import.meta.url), "utf8");

test.each(plantedFaults)("the table of planted faults shows that “$name” was found", ({ name }) => {
  expect(table.split("\n").find((line) => line.startsWith(`| ${name} |`))).toMatch(/\| \d+ \|/);
});
