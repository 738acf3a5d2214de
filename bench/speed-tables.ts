import { isDisturbed } from "./environment.ts";
import { isSlope } from "./growth.ts";
import { type Headline, headlines, type Other } from "./headlines.ts";
import type { Result } from "./result.ts";
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
    "| what | shelfleet | others | target | met |",
    "|---|--:|---|---|---|",
    ...headlines(result).map(
      (row) =>
        `| ${row.title} | ${ownFigure(row)} | ${otherFigures(row)} | ${row.target} | ${row.met ? "yes" : "**no**"} |`,
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

function count({ rows }: Result): string {
  const withTarget = rows.filter(({ target }) => target !== "none");
  return `${withTarget.filter(({ met }) => met).length} of ${withTarget.length} targets are met`;
}

/** The number of targets met, and every target that was missed, whether or not its row is shown. */
function score(result: Result): string {
  const missed = result.rows.filter(({ target, met }) => target !== "none" && !met);
  if (missed.length === 0) return `${count(result)}.`;
  const names = missed.map(({ id, target }) => `\`${id}\` (${target}${isSlope(id) ? ", growth" : ""})`);
  return `${count(result)}. Missed: ${names.join(", ")}.`;
}
