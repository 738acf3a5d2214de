import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

// The blocks of the skill are compiled by readme.test.ts and run by guides.test.ts.

const root = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(`${root}docs/skills/shelfleet/SKILL.md`, "utf8");
const [, head = "", body = ""] = text.split(/^---$/m);

describe("the skill for coding agents", () => {
  it("has the front matter that tools read: the name of its folder, and a description of at most 1 024 characters", () => {
    const { name, description } = parse(head) as Record<string, string>;
    expect(name).toBe("shelfleet");
    expect(description?.length).toBeGreaterThan(100);
    expect(description?.length).toBeLessThanOrEqual(1024);
  });

  it("lists every entry point of the package", () => {
    const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { exports: object };
    const rows = body.split("\n").filter((line) => line.startsWith("| `shelfleet"));
    const listed = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(.*?)`/g)].map(([, name]) => name),
    );
    const entries = Object.keys(exports).filter((name) => !name.endsWith("json"));
    const names = entries.map((name) => `shelfleet${name.slice(1)}`);
    expect(new Set(listed)).toEqual(new Set(names));
  });

  it("names only files that exist", () => {
    const files = [...body.matchAll(/`((?:docs\/)?[\w-]+\.(?:md|txt))`/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => !existsSync(root + file))).toEqual([]);
  });
});
