import { expect, it } from "vitest";
import { countLines } from "../../build/code-lines.ts";

it.each<[string, string, number]>([
  ["a.ts", "// a comment\n\nconst a = 1; // another\n/* a\n block */\n", 1],
  ["a.ts", "/** JSDoc. */\nexport function a(): void {\n  // nothing\n}\n", 2],
  [
    "a.ts",
    "const url = 'https://a'; const b = /\\/\\/ no comment/;\nconst c = `//\n\n${url} /* text */\n`;\n",
    4,
  ],
  ["a.tsx", "const a = <p>\n  {/* a comment */}\n  // text\n</p>;\n", 4],
  ["a.css", "/* a\n comment */\np { color: red; }\n\n", 1],
  ["a.html", "<p>\n<!-- a\n comment -->\n</p>\n", 2],
])("lines of code in %s have no comments and no blank lines: %j", (name, text, lines) => {
  expect(countLines(name, text)).toBe(lines);
});
