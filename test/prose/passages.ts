import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { isMap, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { interfaceTexts } from "./interface.ts";
import { titles } from "./titles.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Prose of one file, in Markdown. Line 1 of `text` is line `line` of the file. */
export interface Passage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const documents = ["*.md", "docs/*.md", "skills/**/*.md", "examples/**/*.md", "bench/*.md", "test/**/*.md"];
const tests = ["test/**/*.ts", "bench/**/*.ts"];
const titled = [...tests, "examples/**/*.{test,spec}.ts"];
const interfaces = ["examples/**/*.tsx"];
const code = [
  "src/**/*.ts",
  "specs/generate/*.ts",
  "docs/site/*.ts",
  "build/*.ts",
  "examples/**/*.{ts,tsx}",
  ...tests,
];
const specs = ["specs/*.openapi.yaml", "specs/gaps.yaml"];

/** All prose that the linter reads. */
export function allPassages(): Passage[] {
  const read = (file: string): string => readFileSync(root + file, "utf8");
  return [
    ...list(documents).map((file) => ({ file, line: 1, text: read(file) })),
    ...list(code).flatMap((file) => comments(file, read(file))),
    ...titledFiles().flatMap((file) => titles(file, read(file))),
    ...list(interfaces).flatMap((file) => interfaceTexts(file, read(file))),
    ...list(specs).flatMap((file) => descriptions(file, read(file))),
    ...messages("api/messages.txt", read("api/messages.txt")),
  ];
}

/** The files whose names of tests the linter reads. */
export function titledFiles(): string[] {
  return list(titled);
}

function list(patterns: readonly string[]): string[] {
  return globSync([...patterns], {
    cwd: root,
    exclude: ["**/{node_modules,dist}/**", "bench/{generated,work}/**", "examples/*/reports/**"],
  }).toSorted();
}

/** The comments of a TypeScript file. A JSDoc tag begins a list item, so that it is a sentence for itself. */
export function comments(file: string, source: string): Passage[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [])
      ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.getEnd()) ?? [])
      ranges.set(range.pos, range);
    for (const child of node.getChildren(parsed)) collect(child);
  };
  collect(parsed);
  const found = [...ranges.values()].map(({ pos, end, kind }) => ({
    file,
    line: parsed.getLineAndCharacterOfPosition(pos).line + 1,
    text: withoutMarkers(source.slice(pos, end)),
    isLine: kind === ts.SyntaxKind.SingleLineCommentTrivia,
  }));
  return joinLines(found.toSorted((a, b) => a.line - b.line)).filter(
    ({ text }) => !text.startsWith("oxlint-"),
  );
}

function withoutMarkers(comment: string): string {
  return comment
    .replace(/^\/\*+ ?|^\/\/+ ?|\s*\*+\/$/g, "")
    .replaceAll(/^[ \t]*\* ?/gm, "")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .replaceAll(/^@(?:param|throws|returns) ?(?:\{\w+\} |\w+ (?=[a-z]))?/gm, "- ")
    .replaceAll(/^@example ?([\s\S]*)/gm, "")
    .replaceAll(/^@\w+ ?/gm, "- ");
}

/** Lines of `//` that follow each other are one passage. */
function joinLines(found: readonly (Passage & { isLine: boolean })[]): Passage[] {
  const result: (Passage & { isLine: boolean })[] = [];
  for (const passage of found) {
    const last = result.at(-1);
    const continues =
      last?.isLine === true && passage.isLine && last.line + last.text.split("\n").length === passage.line;
    if (continues) result[result.length - 1] = { ...last, text: `${last.text}\n${passage.text}` };
    else result.push(passage);
  }
  return result.map(({ file, line, text }) => ({ file, line, text }));
}

/** The descriptions, summaries, titles and questions of a YAML file. */
export function descriptions(file: string, source: string): Passage[] {
  const lines = new LineCounter();
  const passages: Passage[] = [];
  visit(parseDocument(source, { lineCounter: lines }), {
    Pair(_, { key, value }) {
      const prose =
        isScalar(key) &&
        /^(?:description|summary|question|stance|settled|rejected|default-reason)$/.test(String(key.value));
      if (prose && isScalar(value) && typeof value.value === "string" && value.range)
        passages.push({ file, line: lines.linePos(value.range[0]).line, text: value.value });
      else if (isScalar(key) && key.value === "readings" && isMap(value))
        passages.push(...readings(value, file, lines));
    },
  });
  return passages;
}

function readings(
  map: { items: readonly { value: unknown }[] },
  file: string,
  lines: LineCounter,
): Passage[] {
  return map.items.flatMap(({ value }) =>
    isScalar(value) && typeof value.value === "string" && value.range
      ? [{ file, line: lines.linePos(value.range[0]).line, text: value.value }]
      : [],
  );
}

/** Each message is a passage. */
function messages(file: string, source: string): Passage[] {
  return source.split("\n").flatMap((text, index) => {
    const isMessage = text !== "" && !text.startsWith("# ");
    return isMessage ? [{ file, line: index + 1, text: text.replaceAll(/\{[^}]*\}/g, "`value`") }] : [];
  });
}
