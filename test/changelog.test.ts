import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");

describe("CHANGELOG.md", () => {
  test("begins with a table of old and new names, which are rows of docs/upgrade.md", () => {
    const guide = readFileSync(new URL("../docs/upgrade.md", import.meta.url), "utf8");
    const [section = ""] = changelog.split(/^## /m).slice(1);
    const [, table = ""] =
      /\| before \| now \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(section.split("###")[0] ?? "") ?? [];
    const rows = table.trim().split("\n");
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });

  test("has each entry once", () => {
    const entries = [...changelog.matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([entry]) =>
      entry.replaceAll(/\s+/g, " "),
    );
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
  });

  test("has each group of a section once, after an empty line", () => {
    const sections = changelog.split(/^##+ /m).map((section) => section.split("\n"));
    const repeated = sections.flatMap(([title, ...lines]) => {
      const groups = lines.filter((line) => /^[A-Z][a-z ]*:$/.test(line));
      return groups
        .filter((group, index) => groups.indexOf(group) !== index)
        .map((group) => `${title}: ${group}`);
    });
    expect(repeated).toEqual([]);
    expect(changelog).not.toMatch(/\S\n[A-Z][a-z ]*:\n/);
  });
});
