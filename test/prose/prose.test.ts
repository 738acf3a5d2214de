import { describe, expect, it } from "vitest";
import { lint } from "./lint.ts";
import { interfaceTexts } from "./interface.ts";
import { comments, descriptions, type Passage, titledFiles } from "./passages.ts";
import { proseRules } from "./rules.ts";
import { titles } from "./titles.ts";

const rulesOf = async (text: string): Promise<string[]> =>
  (await lint({ file: "example.md", line: 1, text })).map(({ rule }) => rule);

describe("the prose linter", () => {
  it.each(proseRules)("finds a bad sentence by the rule $id", async ({ id, bad }) => {
    expect(await rulesOf(bad)).toContain(id);
  });

  it.each(proseRules)("accepts a plain sentence that resembles what the rule $id finds", async ({ good }) => {
    expect(await rulesOf(good)).toEqual([]);
  });

  it("reads paragraphs, headings, lists and tables, and skips code, links and HTML comments", async () => {
    expect(await rulesOf("# The answer\n\n- the answer\n\n| the answer |\n|---|\n| the answer |")).toEqual(
      Array.from({ length: 4 }, () => "answer"),
    );
    expect(await rulesOf("`answer` [response](answer.md) <!-- answer -->\n\n```\nanswer\n```\n")).toEqual([]);
  });

  it.each(["How long a call waits.", "How far a job is."])("finds the headless clause %j", async (text) => {
    expect(await rulesOf(text)).toEqual(["headless-clause"]);
  });

  it("finds a pattern across a line break and reports the line on which it begins", async () => {
    const found = await lint({ file: "a.ts", line: 10, text: "First line.\nThe list is\nno list." });
    expect(found).toMatchObject([{ file: "a.ts", line: 11, rule: "is-no" }]);
  });
});

describe("the extraction of comments", () => {
  const texts = (source: string): [number, string][] =>
    comments("a.ts", source).map(({ line, text }: Passage) => [line, text]);

  it("returns each comment without its markers and with its line", () => {
    expect(texts("/** One. */\nconst a = 1; // two\n\n/**\n * Three\n * lines.\n */\nconst b = a;")).toEqual([
      [1, "One."],
      [2, "two"],
      [4, "\nThree\nlines."],
    ]);
  });

  it("joins line comments, turns JSDoc tags into list items and leaves out examples", () => {
    expect(
      texts(
        "// one\n// two\nlet a;\n/** Does.\n * @param name the name\n * @example\n * code()\n */\nlet b;",
      ),
    ).toEqual([
      [1, "one\ntwo"],
      [4, "Does.\n- the name\n"],
    ]);
  });
});

describe("the extraction of descriptions", () => {
  it("returns descriptions, questions and readings with their lines", () => {
    const source = "info:\n  description: One.\n  name: no prose\nquestion: Two?\nreadings:\n  a: Three.\n";
    expect(descriptions("a.yaml", source).map(({ line, text }) => [line, text])).toEqual([
      [2, "One."],
      [4, "Two?"],
      [6, "Three."],
    ]);
  });
});

describe("the extraction of titles", () => {
  const texts = (source: string): [number, string][] =>
    titles("a.test.ts", source).map(({ line, text }) => [line, text]);

  it("returns the names of tests and groups, and no other strings", () => {
    expect(
      texts('describe("a list", () => {\n  it("ends", f);\n  it.each(rows)("has %s", () => g("x y"));\n});'),
    ).toEqual([
      [1, "a list"],
      [2, "ends"],
      [3, "has %s"],
    ]);
  });

  it("joins a name of placeholders to the name of its group", () => {
    expect(
      texts('describe("a list has", () => { test.each(rows)("%s", f); });\ntest.for(rows)("%s %i", f);'),
    ).toEqual([
      [1, "a list has"],
      [1, "a list has %s"],
      [2, "%s %i"],
    ]);
  });

  it("covers the tests of the examples, the benchmarks and the project", () => {
    expect(titledFiles()).toEqual(
      expect.arrayContaining([
        "bench/test/arguments.test.ts",
        "examples/consumer.test.ts",
        "examples/playground/test/calls.spec.ts",
        "examples/sync-cluster/test/limit.test.ts",
        "test/prose/prose.test.ts",
      ]),
    );
  });

  it("returns the name in a template with its values as placeholders", () => {
    expect(texts("test(`the row ${id} is met`, f); test(`${id}`, f);")).toEqual([
      [1, "the row $value is met"],
      [1, "$value"],
    ]);
  });
});

describe("the extraction of interface texts", () => {
  const texts = (source: string): [number, string][] =>
    interfaceTexts("a.tsx", source).map(({ line, text }) => [line, text]);

  it("returns the text of elements, with expressions as placeholders", () => {
    expect(texts('<p>\n  Wait {1 + 1} s{" "}\n  <b>now</b>.\n</p>;')).toEqual([
      [1, "Wait `value` s `value`."],
      [3, "now"],
    ]);
  });

  it("returns the attributes that are shown or read aloud, and no other attributes", () => {
    expect(texts('<input class="wide" aria-label="Find a store" placeholder="any" title={name} />;')).toEqual(
      [
        [1, "Find a store"],
        [1, "any"],
      ],
    );
  });
});
