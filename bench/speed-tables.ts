import { isDisturbed } from "./environment.ts";
import { isSlope } from "./growth.ts";
import { type Headline, headlines, type Other } from "./headlines.ts";
import type { JsonRow, Result } from "./result.ts";
import { planOf } from "./rows/table.ts";
import { figure } from "./statistics.ts";

const begin = "<!-- bench: begin, written by npm run bench -- --readme -->";
const end = "<!-- bench: end -->";

/** bench/README.md with new lines between the markers. */
export function withBlock(readme: string, block: string): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`bench/README.md lacks the markers ${begin} and ${end}`);
  return `${readme.slice(0, from)}${begin}\n${block}\n${readme.slice(to)}`;
}

/** The table of bench/README.md. */
export function resultsBlock(result: Result): string {
  return [
    measured(result),
    "",
    "| what | shelfleet | others | target | goal |",
    "|---|--:|---|---|---|",
    ...headlines(result).map(
      (row) => `| ${row.title} | ${ownFigure(row)} | ${otherFigures(row)} | ${bounds(row).join(" | ")} |`,
    ),
    "",
    score(result),
    "",
    "![How many times better or worse shelfleet is than each of the others](figures.svg)",
  ].join("\n");
}

function measured({ env: { date, cores, cpu, node, mode, load } }: Result): string {
  const loadNote = isDisturbed(load) ? `, **while other programs were running (load ${load})**` : "";
  return `Medians, measured on ${date} (${mode} run, ${cores} × ${cpu}, Node ${node.replace("v", "")})${loadNote}.`;
}

function ownFigure({ own, unit }: Headline): string {
  return unit === "" ? figure(own) : `${figure(own)} ${unit}`;
}

function otherFigures({ others }: Headline): string {
  return others.map(otherFigure).join("; ");
}

function otherFigure({ name, median, ahead, verdict }: Other): string {
  const comparison = verdict === "no difference" ? `${figure(ahead)} ×, no difference` : `${figure(ahead)} ×`;
  return `${name} ${figure(median)} (${comparison})`;
}

/** The cells of the target and the goal, one of which is empty. */
function bounds({ id, target, met }: Headline): [target: string, goal: string] {
  if (isGoal({ id })) return ["", `${target}: ${met ? "reached" : "not yet"}`];
  return [met ? target : `${target}: **missed**`, ""];
}

function isGoal({ id }: Pick<JsonRow, "id">): boolean {
  return !isSlope(id) && planOf(id).target.isGoal === true;
}

/** The number of targets met and of goals reached, and every other one, whether or not its row is shown. */
function score({ rows }: Result): string {
  const bound = rows.filter(({ target }) => target !== "none");
  const goals = bound.filter(isGoal);
  const targets = bound.filter((row) => !isGoal(row));
  return [
    `${tally(targets)} targets are met${listMissed("Missed", targets)}.`,
    `${tally(goals)} goals are reached${listMissed("Not yet", goals)}.`,
  ].join(" ");
}

function tally(rows: readonly JsonRow[]): string {
  return `${rows.filter(({ met }) => met).length} of ${rows.length}`;
}

function listMissed(title: string, rows: readonly JsonRow[]): string {
  const missed = rows.filter(({ met }) => !met);
  const names = missed.map(({ id, target }) => `\`${id}\` (${target}${isSlope(id) ? ", growth" : ""})`);
  return names.length === 0 ? "" : `. ${title}: ${names.join(", ")}`;
}
