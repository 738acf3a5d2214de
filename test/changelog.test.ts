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

describe("docs/upgrade.md", () => {
  const guide = readFileSync(new URL("../docs/upgrade.md", import.meta.url), "utf8");
  const rows = [...guide.matchAll(/^\| (?!before)(\w*`.*|[a-z].*?) \|$/gm)].map(([, row = ""]) =>
    row.split(" | "),
  );
  const code = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

  test("finds each old name with the patterns of its row", () => {
    const patterns = rows.flatMap(([before = "", , cell]) =>
      code(cell).map((pattern) => ({ pattern, old: before.replaceAll("`", "") })),
    );
    expect(patterns.length).toBeGreaterThan(40);
    expect(patterns.filter(({ pattern, old }) => !new RegExp(pattern).test(old))).toEqual([]);
    expect(guide).toContain('grep -rnE -e "PATTERN"'); // some patterns begin with a hyphen
  });

  test("finds each renamed gap and reading with one pattern", () => {
    const [, pattern = "(?!)"] = /finds all of them:\n`(.*)`/.exec(guide) ?? [];
    const renamed = rows.filter(({ length }) => length === 2).map(([before]) => code(before)[0] ?? "");
    expect(renamed.length).toBeGreaterThan(20);
    expect(renamed.filter((name) => !new RegExp(pattern).test(name))).toEqual([]);
  });
});
