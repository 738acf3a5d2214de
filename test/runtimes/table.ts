import { readFileSync, writeFileSync } from "node:fs";
import type { Outcomes, Runtime, Way } from "./runtime.ts";

const guide = new URL("../../docs/runtimes.md", import.meta.url);
const begin = "<!-- runtimes: begin, written by npm run test:runtimes -- --write -->";
const end = "<!-- runtimes: end -->";

const columns: [Way, string][] = [
  ["network", "clients, own `fetch`"],
  ["write", "a lost POST is sent once"],
  ["mock", "`shelfleet/mock`"],
  ["msw", "`shelfleet/mock/msw`, msw 3"],
  ["msw2", "msw 2"],
  ["serve", "`shelfleet/mock/node`"],
  ["node", "`shelfleet/node`"],
  ["require", "`require()`"],
];

/** The results of one runtime. */
export interface Measured {
  runtime: Runtime;
  version: string;
  outcomes: Outcomes;
}

function cell({ runtime, outcomes }: Measured, way: Way): string {
  if (!runtime.ways.includes(way)) return "";
  return outcomes[way] === null ? "yes" : "no";
}

function row(measured: Measured): string {
  const { runtime, version } = measured;
  const name = runtime.locked ? `${runtime.name} ${version}` : runtime.name;
  return `| ${[name, ...columns.map(([way]) => cell(measured, way))].join(" | ")} |`;
}

function table(all: Measured[]): string {
  const head = ["runtime", ...columns.map(([, title]) => title)];
  return [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...all.map(row)].join("\n");
}

/** The parts of docs/runtimes.md: before the table, the table, and after it. */
function split(): [before: string, table: string, after: string] {
  const text = readFileSync(guide, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/runtimes.md lacks ${begin} and ${end}`);
  const start = from + begin.length;
  return [text.slice(0, start), text.slice(start, to).trim(), text.slice(to)];
}

export function writeTable(all: Measured[]): void {
  const [before, , after] = split();
  writeFileSync(guide, `${before}\n${table(all)}\n${after}`);
}

/** The lines of the measurement that docs/runtimes.md lacks. */
export function missingLines(all: Measured[]): string[] {
  const [, found] = split();
  const lines = found.split("\n");
  return table(all)
    .split("\n")
    .filter((line) => !lines.includes(line));
}
