import type { ContenderFigures, Result, ResultRow } from "./result.ts";
import { formatFigure } from "./statistics.ts";

const style = `
  svg { --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --ahead: #0969da; --behind: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --ahead: #4493f8; --behind: #f0883e; }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--ink); dominant-baseline: middle }
  .title { font-weight: 600 } .faint { fill: var(--faint) } .name { text-anchor: end } .tick { text-anchor: middle }
  path { stroke: var(--faint); stroke-opacity: 0.3 } path.one { stroke-opacity: 1 }
  .ahead { fill: var(--ahead) } .behind { fill: var(--behind) }
  path.ahead { stroke: var(--ahead); stroke-width: 2 } path.behind { stroke: var(--behind); stroke-width: 2 }`;

const ticks = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];
const [width, left, right, top, lineHeight] = [960, 520, 150, 60, 17];

/** Other settings and versions of shelfleet are not drawn. */
const rivalsOf = ({ contenders }: ResultRow): ContenderFigures[] =>
  contenders.filter(({ name }) => !name.startsWith("shelfleet"));

/** Each rival as a point with its spread over a logarithmic axis, for light and dark pages. */
export function plot({ env, rows }: Result): string {
  const drawn = rows.filter((row) => rivalsOf(row).length > 0);
  const spreads = drawn.flatMap(rivalsOf).map(({ ahead }) => ahead);
  const low = Math.min(...spreads.map(({ min }) => min)) / 1.2;
  const high = Math.max(...spreads.map(({ max }) => max)) * 1.2;
  const scale = (value: number): number =>
    Math.round(left + (Math.log(value / low) / Math.log(high / low)) * (width - left - right));
  const parts: string[] = [];
  let y = top;
  for (const row of drawn) {
    parts.push(...drawRow(row, y, scale));
    y += lineHeight * (Math.max(2, rivalsOf(row).length) + 1);
  }
  for (const tick of ticks.filter((value) => value > low && value < high))
    parts.push(
      `<path class="${tick === 1 ? "one" : ""}" d="M${scale(tick)} ${top - 16}V${y - 10}"/>`,
      text(scale(tick), y + 8, "faint tick", `${tick} ×`),
    );
  const hint = `How many times better shelfleet is, ${env.date}. Right of 1 ×: shelfleet is ahead. Left of it: behind.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${y + 30}">`,
    `<style>${style}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="var(--paper)"/>`,
    text(16, 24, "faint", hint),
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function drawRow(row: ResultRow, y: number, scale: (value: number) => number): string[] {
  const { title, unit, contenders } = row;
  const own = contenders.slice(0, 1).map(({ name, median }) => `${name}: ${formatFigure(median)} ${unit}`);
  const rivals = rivalsOf(row).flatMap(({ name, median, ahead }, index) => {
    const side = ahead.median >= 1 ? "ahead" : "behind";
    const line = y + index * lineHeight;
    return [
      text(left - 12, line, "name", name),
      `<path class="${side}" d="M${scale(ahead.min)} ${line}H${scale(ahead.max)}"/>`,
      `<circle class="${side}" cx="${scale(ahead.median)}" cy="${line}" r="4.5"/>`,
      text(
        scale(ahead.max) + 9,
        line,
        side,
        `${formatFigure(ahead.median)} × (${`${formatFigure(median)} ${unit}`.trim()})`,
      ),
    ];
  });
  return [text(16, y, "title", title), text(16, y + lineHeight, "faint", own.join("")), ...rivals];
}

function text(x: number, y: number, className: string, content: string): string {
  return `<text class="${className}" x="${x}" y="${y}">${content}</text>`;
}
