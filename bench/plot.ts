import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { type Headline, headlines, type Other } from "./headlines.ts";
import type { Result } from "./result.ts";
import { difference, figure } from "./statistics.ts";

/** A contender in its own line. */
interface Mark extends Other {
  line: number;
  label: string;
}

interface Title {
  line: number;
  text: string;
  own: string;
}

const style = `
  svg { --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --band: #eaeef2;
    --ahead: #0969da; --behind: #bc4c00; --level: #59636e; color: var(--ink); }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --band: #262c36;
      --ahead: #4493f8; --behind: #f0883e; --level: #9198a1; }
  }`;

const colours = {
  "ours is ahead": "ahead",
  "ours is behind": "behind",
  "no difference": "level",
  "": "level",
};
const ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];
const lineHeight = 17;
const [left, right] = [430, 150];

function layOut(all: readonly Headline[]): { marks: Mark[]; titles: Title[]; lines: number } {
  const marks: Mark[] = [];
  const titles: Title[] = [];
  let lines = 0;
  for (const headline of all) {
    const { title, own, unit, others } = headline;
    titles.push({ line: lines, text: title, own: `shelfleet: ${figure(own)} ${unit}` });
    for (const [at, other] of others.entries()) marks.push(mark(headline, other, lines + at));
    lines += Math.max(2, others.length) + 1;
  }
  return { marks, titles, lines };
}

function mark({ unit }: Headline, other: Other, line: number): Mark {
  const value = `${figure(other.median)}${unit === "" ? "" : ` ${unit}`}`;
  return { ...other, line, label: `${figure(other.ahead)} ×  (${value})` };
}

/**
 * Each contender of the headlines as a point with its spread, on a light background, or a dark one if the reader
 * prefers it.
 */
export function plot(result: Result): string {
  const { marks, titles, lines } = layOut(headlines(result));
  const ends = marks.flatMap(({ low, high }) => [low, high]);
  const visibleTicks = ticks.filter((x) => x > Math.min(...ends) / 1.2 && x < Math.max(...ends) * 1.2);
  const { document } = parseHTML("<html><body></body></html>");
  const chart = Plot.plot({
    document,
    width: 960,
    height: lines * lineHeight + 80,
    marginLeft: left,
    marginRight: right,
    marginTop: 46,
    marginBottom: 34,
    style: { fontSize: "12px", fontFamily: "system-ui, sans-serif" },
    x: { type: "log", domain: [Math.min(...ends) / 1.2, Math.max(...ends) * 1.2], axis: null },
    y: { domain: [-0.7, lines - 0.8], reverse: true, axis: null },
    marks: [
      ...axis(visibleTicks),
      ...environmentMarks(result),
      ...titleMarks(titles),
      ...contenderMarks(marks),
    ],
  });
  chart.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  chart.setAttribute("role", "img");
  chart.insertAdjacentHTML(
    "afterbegin",
    `<style>${style}</style><rect width="100%" height="100%" rx="8" fill="var(--paper)"/>`,
  );
  return `${chart.outerHTML}\n`;
}

const times = (x: number): string => `${x} ×`;

function axis(visibleTicks: readonly number[]): Plot.Markish[] {
  return [
    Plot.gridX(visibleTicks, { strokeOpacity: 0.12 }),
    Plot.text(visibleTicks, {
      x: (at: number) => at,
      text: times,
      frameAnchor: "bottom",
      dy: 20,
      fill: "var(--faint)",
    }),
  ];
}

function environmentMarks({ env }: Result): Plot.Markish[] {
  const hint = `How many times better shelfleet is, ${env.date}. Right of the band: shelfleet is ahead. Left of it: behind. Within: no difference.`;
  return [
    Plot.rectX([1], { x1: 1 / difference, x2: difference, fill: "var(--band)" }),
    Plot.ruleX([1], { stroke: "var(--faint)" }),
    Plot.text([hint], {
      frameAnchor: "top-left",
      dx: 16 - left,
      dy: -30,
      textAnchor: "start",
      fill: "var(--faint)",
    }),
  ];
}

function titleMarks(titles: readonly Title[]): Plot.Markish[] {
  const place = { y: "line", frameAnchor: "left", textAnchor: "start", dx: 16 - left } as const;
  return [
    Plot.text(titles, { ...place, text: "text", fontWeight: 600 }),
    Plot.text(titles, { ...place, text: "own", fill: "var(--faint)", dy: lineHeight }),
  ];
}

function contenderMarks(marks: readonly Mark[]): Plot.Markish[] {
  const names = { y: "line", frameAnchor: "left", textAnchor: "end", dx: -12, text: "name" } as const;
  const points = Object.entries(colours).flatMap(([verdict, colour]) => {
    const selected = marks.filter((one) => one.verdict === verdict);
    const [fill, stroke] = [`var(--${colour})`, `var(--${colour})`];
    return [
      Plot.link(selected, {
        x1: "low",
        x2: "high",
        y1: "line",
        y2: "line",
        stroke,
        strokeWidth: 2,
        strokeOpacity: 0.45,
      }),
      Plot.dot(selected, { x: "ahead", y: "line", r: 4.5, fill }),
      Plot.text(selected, { x: "high", y: "line", text: "label", textAnchor: "start", dx: 9, fill }),
    ];
  });
  return [Plot.text(marks, names), ...points];
}
