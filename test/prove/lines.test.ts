import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocks } from "../documentation.ts";
import { findDifferences } from "./lines.ts";

describe.each(["guides", "readme"])("the program %s", (program) => {
  it("has no line that does something with the package, except those of the documents", () => {
    const source = readFileSync(new URL(`programs/${program}.ts`, import.meta.url), "utf8");
    expect(source.match(/\/\/ from /g)?.length).toBeGreaterThan(9);
    expect(findDifferences(source, blocks())).toEqual([]);
  });
});

describe("the comparison of a program with the documents", () => {
  const text =
    'await ensure(fleet.vehicles, [{ brand: "MAN" }], { key: "brand" }); // once\nconst a = (b) => (b ? 1 : 2);\n';
  const shown = [{ document: "docs/a.md", line: 1, language: "ts", text, file: undefined }];
  const imports = 'import { ensure, StoreClient } from "../../src/sync/index.ts";\n';
  const differences = (lines: string, where = "", around = "") =>
    findDifferences(`${imports}${around}\n// from docs/a.md${where}\n${lines}\n// end\n`, shown);

  it.each([
    ["the same lines", 'await ensure(fleet.vehicles, [{ brand: "MAN" }], { key: "brand" });', ""],
    ["another form of the same lines", "const a = (b) =>\n  b ? 1 : 2;", ""],
    [
      "other data",
      'await ensure(fleet.vehicles, rows, { key: "brand" });',
      ', where [{ brand: "MAN" }] is rows',
    ],
    [
      "another resource",
      'await ensure(fleet.damages, [{ brand: "MAN" }], { key: "brand" });',
      ", where vehicles is damages",
    ],
  ])("accepts %s", (_, lines, where) => {
    expect(differences(lines, where)).toEqual([]);
  });

  it.each([
    [
      "another option",
      'await ensure(fleet.vehicles, [{ brand: "MAN" }], { key: "brand", update: false });',
      "",
    ],
    [
      "an option instead of data",
      'await ensure(fleet.vehicles, [{ brand: "MAN" }], options);',
      ', where { key: "brand" } is options',
    ],
    [
      "a result that is looked at",
      'const done = await ensure(fleet.vehicles, [{ brand: "MAN" }], { key: "brand" });',
      "",
    ],
  ])("finds %s", (_, lines, where) => {
    expect(differences(lines, where)).toHaveLength(1);
  });

  it.each([
    ["a loop", "for (const a of all) use(a);"],
    ["a catch", "try { use(); } catch {}"],
    ["a catch of a promise", "use().catch(() => {});"],
    ["a call of a job", "await ensure(fleet.vehicles, [], {});"],
    ["a call of a client", "await store.stores.list();"],
    ["an option of a client", "const store = new StoreClient({ ...LIMITS, baseUrl, retry: 5 });"],
    ["a limit that is none of time", "const LIMITS = { timeout: 1, retry: 5 } as const;"],
  ])("finds %s outside of these lines", (_, around) => {
    expect(differences("const a = (b) => (b ? 1 : 2);", "", around)).toHaveLength(1);
  });
});
