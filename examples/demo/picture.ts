import type { Comparison } from "./comparison.ts";

const themes = {
  light: { text: "#1f2328", muted: "#59636e", line: "#d1d9e0", right: "#116329", wrong: "#a40e26" },
  dark: { text: "#f0f6fc", muted: "#9198a1", line: "#3d444d", right: "#4ac26b", wrong: "#ff7b72" },
} as const;

const columns = [20, 210, 320, 610] as const;
const width = 760;
const height = 36;

function cell(column: number, y: number, content: string, fill: string): string {
  return `  <text x="${columns[column]}" y="${y + 23}" fill="${fill}">${content}</text>`;
}

/** Draws the table as an SVG of one theme. */
export function drawTable(rows: readonly Comparison[], theme: keyof typeof themes): string {
  const { text, muted, line, right, wrong } = themes[theme];
  const colorOf = (value: string, service: number): string => (value === String(service) ? right : wrong);
  const head = ["", "service", "naive loop", "shelfleet"].map((name, column) => cell(column, 4, name, muted));
  const body = rows.flatMap(({ name, service, naive, shelfleet }, index) => {
    const y = 4 + (index + 1) * height;
    return [
      `  <line x1="${columns[0]}" x2="${width - columns[0]}" y1="${y}" y2="${y}" stroke="${line}"/>`,
      cell(0, y, name, text),
      cell(1, y, String(service), text),
      cell(2, y, naive, colorOf(naive, service)),
      cell(3, y, shelfleet, colorOf(shelfleet, service)),
    ];
  });
  const label = rows.map(
    (row) => `${row.name}: service ${row.service}, naive loop ${row.naive}, shelfleet ${row.shelfleet}`,
  );
  const size = `width="${width}" height="${8 + (rows.length + 1) * height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label.join("; ")}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="15">
${[...head, ...body].join("\n")}
</svg>
`;
}
