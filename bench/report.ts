import type { Environment } from "./environment.ts";
import type { JsonRow, Row } from "./measurement.ts";
import { ratios, type Spread, spread } from "./statistics.ts";

/** What is nearer to ours than this is not called a difference. */
const difference = 1.3;

export function jsonRow({ id, unit, samples, target, ours }: Row): JsonRow {
  const contenders = Object.fromEntries([...samples].map(([name, values]) => [name, spread(values)]));
  return { id, unit, contenders, target: target.text, met: target.met(samples, ours) };
}

export function markdown(env: Environment, rows: readonly Row[]): string {
  const { date, mode, commit, node, platform, cpu, cores, memoryGb, load } = env;
  const versions = Object.entries(env.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${date}, ${mode} run of commit ${commit}; Node ${node}, ${platform}, ${cores} × ${cpu}, ${memoryGb} GB, load before ${load}.`,
    `${versions.join(", ")}.`,
    "",
    "| what | contender | median | min – max | times ours (min – max) | | target | met |",
    "|---|---|--:|--:|--:|---|---|---|",
    ...rows.flatMap(tableLines),
    "",
  ].join("\n");
}

function tableLines(row: Row): string[] {
  const { id, what, unit, samples, target, ours } = row;
  const ownFirst = [...samples.keys()].toSorted((a, b) => Number(b === ours) - Number(a === ours));
  const verdict = target.met(samples, ours) ? "yes" : "**no**";
  if (ownFirst.length === 0) return [`| ${what} (\`${id}\`) | | | | | | ${target.text} | **no** |`];
  return ownFirst.map((name, at) => {
    const { median, min, max } = spread(samples.get(name) ?? []);
    const first = at === 0;
    return [
      "",
      first ? `${what}${unit === "" ? "" : `, ${unit}`} (\`${id}\`)` : "",
      name,
      figure(median),
      `${figure(min)} – ${figure(max)}`,
      ...comparison(row, name),
      first ? target.text : "",
      first ? verdict : "",
      "",
    ]
      .join(" | ")
      .trim();
  });
}

/** The ratio to ours, and what may be said of it. */
function comparison({ samples, ours, better }: Row, name: string): [string, string] {
  const own = samples.get(ours);
  if (name === ours || own === undefined) return ["", ""];
  const ratio = ratios(samples.get(name) ?? [], own);
  return [`${figure(ratio.median)} (${figure(ratio.min)} – ${figure(ratio.max)})`, words(ratio, better)];
}

function words({ median }: Spread, better: "less" | "more"): string {
  if (median < difference && median > 1 / difference) return "no difference";
  return median > 1 === (better === "less") ? "ours is ahead" : "ours is behind";
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
