import { readFileSync, writeFileSync } from "node:fs";
import { isDisturbed } from "./environment.ts";
import { isSlope } from "./growth.ts";
import { type Headline, headlines, type Other } from "./headlines.ts";
import { plot } from "./plot.ts";
import type { Result } from "./result.ts";
import { figure } from "./statistics.ts";

/** What `--readme` writes. */
export const published = {
  readme: new URL("../README.md", import.meta.url),
  figures: new URL("figures.json", import.meta.url),
  plot: new URL("figures.svg", import.meta.url),
};

const begin = "<!-- bench: begin, written by npm run bench -- --readme -->";
const end = "<!-- bench: end -->";

export async function publish(result: Result, say: (line: string) => void): Promise<void> {
  const readme = withBlock(readFileSync(published.readme, "utf8"), readmeBlock(result));
  const image = plot(result);
  writeFileSync(published.readme, readme);
  writeFileSync(published.figures, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(published.plot, image);
  say("written: README.md, bench/figures.json, bench/figures.svg");
}

/** README with other lines between the markers. */
export function withBlock(readme: string, block: string): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md lacks the markers ${begin} and ${end}`);
  return `${readme.slice(0, from)}${begin}\n${block}\n${readme.slice(to)}`;
}

export function readmeBlock(result: Result): string {
  const { date, cores, cpu, node, mode, load } = result.env;
  const disturbed = isDisturbed(load) ? `, **while others were at work there (load ${load})**` : "";
  return [
    `Measured on ${date} (${mode} run, ${cores} × ${cpu}, Node ${node.replace("v", "")})${disturbed}:`,
    "medians, and in brackets how many times better shelfleet is. Under 1 it is worse, and what is nearer than 30 % is",
    "not called a difference.",
    "",
    "| what | shelfleet | others | target | met |",
    "|---|--:|---|---|---|",
    ...headlines(result).map(tableLine),
    "",
    score(result),
    "",
    "![How many times better or worse shelfleet is than each of the others](bench/figures.svg)",
  ].join("\n");
}

function tableLine({ title, own, unit, others, target, met }: Headline): string {
  const told = others.map(otherFigure).join("; ");
  return `| ${title} | ${figure(own)}${unit === "" ? "" : ` ${unit}`} | ${told} | ${target} | ${met ? "yes" : "**no**"} |`;
}

function otherFigure({ name, median, ahead, verdict }: Other): string {
  const said = verdict === "no difference" ? `${figure(ahead)} ×, no difference` : `${figure(ahead)} ×`;
  return `${name} ${figure(median)} (${said})`;
}

/** How many targets were met, and every one that was not, whether or not its row is shown. */
function score({ rows }: Result): string {
  const aimed = rows.filter(({ target }) => target !== "none");
  const missed = aimed.filter(({ met }) => !met);
  const met = `${aimed.length - missed.length} of ${aimed.length} targets are met`;
  if (missed.length === 0) return `${met}.`;
  const names = missed.map(({ id, target }) => `\`${id}\` (${target}${isSlope(id) ? ", growth" : ""})`);
  return `${met}; missed: ${names.join(", ")}.`;
}
