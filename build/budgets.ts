/**
 * Compares the size of each room with its budget: lines of code without comments and blank lines, in every tracked file of
 * code. `budgets.json` has what each room may be now, and the goal of the design. A number only falls, until it is the goal:
 * `--write` lowers the numbers to what is there. A move between rooms changes both rows by hand.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = new URL("budgets.json", import.meta.url);

/** Numbers are rounded up to this, so that a line more is not a change of the budget. */
const step = 50;

/** Guides that are mostly generated tables. Files with names in capitals are no guides. */
const generatedGuides = new Set(["docs/gaps.md", "docs/scenarios.md", "docs/operations.md"]);

/** Returns the number of lines that have code: a token that is not a comment or a blank. */
export function countLines(name: string, text: string): number {
  if (/\.(?:css|html)$/.test(name)) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, (comment) =>
      comment.replaceAll(/[^\n]/g, ""),
    );
    return code.split("\n").filter((line) => line.trim() !== "").length;
  }
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, kind);
  const texts = text.split("\n");
  const lines = new Set<number>();
  const add = (node: ts.Node): void => {
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    for (const child of children) add(child);
    if (children.length > 0) return;
    const [start, end] = [node.getStart(source), node.getEnd()];
    if (start === end) return; // the end of the file, or an empty list
    const [first, last] = [start, end].map((at) => source.getLineAndCharacterOfPosition(at).line) as [
      number,
      number,
    ];
    // a template or a string may have blank lines
    for (let line = first; line <= last; line += 1) if ((texts[line] ?? "").trim() !== "") lines.add(line);
  };
  add(source);
  return lines.size;
}

/** Returns the number of words of Markdown without generated tables. */
function countWords(text: string): number {
  const written = text.replaceAll(/<!-- (\w+): begin[^]*?<!-- \1: end -->/g, "");
  return written.split(/\s+/).filter((word) => word !== "").length;
}

/** Whether a file counts for a room. */
function belongs(name: string, room: string): boolean {
  return name.startsWith(`${room}/`);
}

function measure(): Map<string, number> {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const read = (name: string): string => readFileSync(root + name, "utf8");
  const sizes = new Map<string, number>();
  for (const name of tracked)
    if (/\.(?:ts|tsx|js|mjs|css|html)$/.test(name)) sizes.set(name, countLines(name, read(name)));
  const sum = (room: string): number =>
    [...sizes].reduce((total, [name, lines]) => total + (belongs(name, room) ? lines : 0), 0);
  const guides = tracked.filter((name) => /^docs\/[a-z][^/]*\.md$/.test(name) && !generatedGuides.has(name));
  const others = new Map([
    ["words of docs", guides.reduce((total, name) => total + countWords(read(name)), 0)],
    ["lines of README", read("README.md").trimEnd().split("\n").length],
  ]);
  return new Map(Object.keys(budgets).map((room) => [room, others.get(room) ?? sum(room)]));
}

const budgets = JSON.parse(readFileSync(file, "utf8")) as Record<string, [may: number, goal: number]>;

function check(isWriting: boolean): boolean {
  const rows: string[] = [];
  const problems: string[] = [];
  for (const [room, size] of measure()) {
    const [may, goal] = budgets[room] as [number, number]; // the rooms are its keys
    const lowest = size <= goal ? goal : Math.ceil(size / step) * step;
    if (isWriting && may !== lowest && (may === 0 || lowest < may)) budgets[room] = [lowest, goal];
    else if (size > may) problems.push(`${room} is ${size} and may be ${may}`);
    rows.push(
      [room.padEnd(16), ...[size, budgets[room]?.[0], goal].map((cell) => String(cell).padStart(8))].join(""),
    );
  }
  console.log(
    `${"room".padEnd(16)}${"is".padStart(8)}${"may be".padStart(8)}${"goal".padStart(8)}\n${rows.join("\n")}`,
  );
  for (const problem of problems) console.log(problem);
  if (isWriting)
    writeFileSync(
      file,
      `${JSON.stringify(budgets, null, 2).replaceAll(/\[\s+(\d+),\s+(\d+)\s+\]/g, "[$1, $2]")}\n`,
    );
  return problems.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !check(process.argv.includes("--write")))
  process.exitCode = 1;
