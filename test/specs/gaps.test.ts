import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import schema from "../../specs/gaps.schema.json" with { type: "json" };

interface Gap {
  id: string;
  source: string;
  api: "store" | "fleet";
  question: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
const validate = ajv.compile<Gap[]>(schema);
const document: unknown = parse(read("specs/gaps.yaml"));
const gaps: Gap[] = validate(document) ? document : [];

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, "0")}`);

/** The numbers in the contracts' list if it is next to the repository, otherwise the known ones. */
function sources(): string[] {
  const list = `${root}../shared/contract/gaps.json`;
  if (existsSync(list)) {
    const ids = readFileSync(list, "utf8").matchAll(/^ {2}"id": "(.+)"/gmu);
    return Array.from(ids, ([, id]) => id ?? "");
  }
  return [...numbered("S", 71), ...numbered("F", 60)];
}

/** The comments of a module; the whole text of a YAML document, whose descriptions also mention gaps. */
function comments(path: string, text: string): string {
  if (path.endsWith(".yaml")) {
    return text;
  }
  return (text.match(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*/gmu) ?? []).join(".\n");
}

/** The IDs in "gap a.b", "gaps a.b, c.d and e.f" and "x-gaps: [a.b, c.d]", also across lines and in quotes. */
function mentions(path: string, text: string): string[] {
  const words = comments(path, text)
    .replaceAll(/[`()[\]]|^\s*[*#]|\/\//gmu, "")
    .replaceAll(/\s+/gu, " ");
  const lists = words.match(
    /\b[Gg]aps?:? (?:- )?[a-z-]+\.[a-z-]+(?:(?:,|,? and|,? or| -) [a-z-]+\.[a-z-]+)*/gu,
  );
  return (lists ?? []).flatMap((list) => list.match(/[a-z-]+\.[a-z-]+/gu) ?? []);
}

/**
 * The order in the document: store before fleet, by number, and the gaps that are not in the list last in their API.
 */
function rank(gap: Gap): string {
  return `${gap.api === "store" ? 1 : 2}${gap.source === "found" ? "99" : gap.source.slice(1)}`;
}

describe("the gaps", () => {
  test("conform to their schema", () => {
    validate(document);
    expect(validate.errors).toBeNull();
  });

  test("cover every question of the contracts' list", () => {
    const gapSources = new Set(gaps.map((gap) => gap.source));
    gapSources.delete("found");
    expect([...gapSources].toSorted()).toEqual(sources().toSorted());
  });

  test("include two questions that are not in the contracts' list", () => {
    const found = gaps.filter((gap) => gap.source === "found").map((gap) => gap.id);
    expect(found).toEqual(["protocols.order", "requests.unlisted-values"]);
  });

  test("have unique IDs", () => {
    expect(new Set(gaps.map((gap) => gap.id)).size).toBe(gaps.length);
  });

  test("ask each question once", () => {
    const questions = gaps.map((gap) => `${gap.api}: ${gap.question}`);
    expect(new Set(questions).size).toBe(questions.length);
  });

  test("are sorted", () => {
    const ranks = gaps.map(rank);
    expect(ranks).toEqual(ranks.toSorted());
  });

  test("are the only ones that code, tests and documents mention", () => {
    const paths = globSync(["src/**/*.ts", "test/**/*.ts", "specs/**/*.ts", "specs/*.openapi.yaml"], {
      cwd: root,
      exclude: ["**/node_modules/**", "test/specs/gaps.test.ts"],
    });
    const known = new Set(gaps.map((gap) => gap.id));
    const unknown = paths.flatMap((path) =>
      mentions(path, read(path))
        .filter((id) => !known.has(id))
        .map((id) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe("a mention of a gap", () => {
  test.each([
    ["a.ts", "const none = 0; // gap protocols.next-page.", ["protocols.next-page"]],
    ["a.ts", "/** The gaps `a.b`, c.d and e-f.g-h decide. */", ["a.b", "c.d", "e-f.g-h"]],
    ["a.ts", "/**\n * Its gap\n * stores.omitted-fields\n */", ["stores.omitted-fields"]],
    ["a.ts", 'const message = "no gap no.such"; // a reason', []],
    ["a.ts", "// one gap\nconst a = b.c;\n// a.b", []],
    ["a.yaml", "description: Open. Gaps: a.b and c.d.", ["a.b", "c.d"]],
    ["a.yaml", "# is a gap\n# (`a.b`,\n# `c.d`)", ["a.b", "c.d"]],
    ["a.yaml", "x-gaps: [a.b, c.d]\nopen: e.f", ["a.b", "c.d"]],
    ["a.yaml", "x-gaps:\n  - a.b\n  - c.d\nopen: e.f", ["a.b", "c.d"]],
  ])("is found in %s in %j", (path, text, ids) => {
    expect(mentions(path, text)).toEqual(ids);
  });
});
