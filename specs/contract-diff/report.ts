import type { Document } from "../generate/document.ts";
import { type Change, compareFacts } from "./changes.ts";
import { type Facts, readFacts, wholeApi } from "./facts.ts";

/** The text of each guide by its path. */
export type Guides = ReadonlyMap<string, string>;

interface OperationReport {
  id: string;
  title: "new" | "removed" | "changed";
  facts: Facts;
  changes: Change[];
}

function compareOperations(before: Document, after: Document): OperationReport[] {
  const [old, current] = [readFacts(before), readFacts(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((id): OperationReport => {
      const [a, b] = [old.get(id), current.get(id)];
      const title = a === undefined ? "new" : b === undefined ? "removed" : "changed";
      const facts: Facts = new Map([...(a ?? []), ...(b ?? [])]);
      return { id, title, facts, changes: compareFacts(a ?? new Map(), b ?? new Map()) };
    })
    .filter(({ changes }) => changes.length > 0);
}

function doesBreak({ title, changes }: OperationReport): boolean {
  return title === "removed" || (title === "changed" && changes.some(({ effect }) => effect === "breaks"));
}

const signs = { added: "+", removed: "-", changed: "~" };
const remarks = { breaks: " (breaks callers)", check: " (check callers)", fine: "" };

function describeChange({ kind, fact, newValue, effect }: Change, isJudged: boolean): string {
  const { side, place, keyword, value } = fact;
  const what = keyword === "present" ? "" : value === true ? keyword : `${keyword} ${JSON.stringify(value)}`;
  const words = [side === "response" ? `response ${place}` : place, what].filter((part) => part !== "");
  const arrow = kind === "changed" ? ` → ${JSON.stringify(newValue)}` : "";
  return `  ${signs[kind]} ${words.join(" ")}${arrow}${isJudged ? remarks[effect] : ""}`;
}

function describeOperation(report: OperationReport, guides: Guides): string[] {
  const { id, title, facts, changes } = report;
  const valuesOf = (wanted: string): string[] =>
    [...facts.values()].filter(({ keyword }) => keyword === wanted).map(({ value }) => String(value));
  const methods = valuesOf("method");
  const names = [id, ...methods].map((name) => new RegExp(`\\b${name.replace(".", "\\.")}\\b`));
  const pages = [...guides].filter(([, text]) => names.some((name) => name.test(text))).map(([path]) => path);
  return [
    `${id} (${title}${doesBreak(report) ? ", breaks callers" : ""})`,
    ...changes.map((change) => describeChange(change, title === "changed")).toSorted(),
    ...(methods.length === 0 ? [] : [`  method: ${methods.join(", ")}`]),
    `  gaps whose sections to read again: ${valuesOf("gap").join(", ") || "none"}`,
    `  guides: ${pages.join(", ") || "none"}`,
    "",
  ];
}

/** Returns the differences between two versions of a document, operation by operation, and what they concern. */
export function describeDifferences(before: Document, after: Document, guides: Guides): string {
  const reports = compareOperations(before, after);
  if (reports.length === 0) return "No operation differs.";
  const breaking = reports.filter(doesBreak).map(({ id }) => id);
  const count = (wanted: string): number =>
    reports.filter(({ id, title }) => id !== wholeApi && title === wanted).length;
  return [
    ...reports.flatMap((report) => describeOperation(report, guides)),
    `Operations: ${count("new")} new, ${count("removed")} removed, ${count("changed")} changed.`,
    breaking.length === 0 ? "No caller breaks." : `Callers break: ${breaking.join(", ")}.`,
  ].join("\n");
}
