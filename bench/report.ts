import { isOurs } from "./contenders.ts";
import type { Environment } from "./environment.ts";
import { isSlope } from "./growth.ts";
import type { Row } from "./measurement.ts";
import { figure, isRatio, ratios, spread, verdict } from "./statistics.ts";

export function markdown(env: Environment, rows: readonly Row[]): string {
  return [
    `${describeEnvironment(env)}.`,
    `${Object.entries(env.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}.`,
    "",
    "| what | contender | median | min – max | times ours (min – max) | | target or goal | met |",
    "|---|---|--:|--:|--:|---|---|---|",
    ...rows.flatMap(tableLines),
    "",
  ].join("\n");
}

/** The machine and the run, in one line. */
function describeEnvironment(env: Environment): string {
  const { date, mode, commit, seed, minutes, node, platform, cpu, cores, memoryGb, load } = env;
  return [
    `${date}, ${mode} run of commit ${commit}, seed ${seed}, ${minutes} min`,
    `Node ${node}, ${platform}, ${cores} × ${cpu}, ${memoryGb} GB, load before ${load}`,
  ].join("; ");
}

function tableLines(row: Row): string[] {
  const { id, what, unit, samples, target, ours } = row;
  const ownFirst = [...samples.keys()].toSorted((a, b) => Number(b === ours) - Number(a === ours));
  const met = target.met(samples, ours) ? "yes" : "**no**";
  const title = `${what}${unit === "" ? "" : `, ${unit}`} (\`${id}\`)`;
  if (ownFirst.length === 0) return [line(title, "", "", "", "", "", target.text, met)];
  return ownFirst.map((name, at) => {
    const { median, min, max } = spread(samples.get(name) ?? []);
    const [first, last] =
      at === 0 ? [title, [`${target.isGoal === true ? "goal: " : ""}${target.text}`, met]] : ["", ["", ""]];
    const range = `${figure(min)} – ${figure(max)}`;
    return line(first, name, figure(median), range, ...comparison(row, name), ...last);
  });
}

const line = (...cells: string[]): string => `| ${cells.join(" | ")} |`;

/** The ratio to shelfleet, with its verdict. */
function comparison({ id, samples, ours, better }: Row, name: string): [string, string] {
  const own = samples.get(ours);
  if (name === ours || own === undefined || isSlope(id)) return ["", ""];
  const { median, min, max } = ratios(samples.get(name) ?? [], own);
  if (!isRatio(median)) return ["", ""];
  return [`${figure(median)} (${figure(min)} – ${figure(max)})`, isOurs(name) ? "" : verdict(median, better)];
}
