import { type ContenderFigures, oldName, type Result, type ResultRow } from "./result.ts";
import { formatFigure } from "./statistics.ts";

/** bench/README.md with new lines between the markers. */
export function replaceBlock(readme: string, block: string): string {
  const marks = /(<!-- bench: begin[^>]*-->\n)[^]*(<!-- bench: end -->)/;
  return readme.replace(marks, (_, begin: string, end: string) => `${begin}${block}\n${end}`);
}

/** The table of bench/README.md, and another one if version 0.1 took part. */
export function resultsBlock({ env, rows }: Result): string {
  const { mode, date, commit, cores, cpu, node, load } = env;
  const note = load > 0.5 ? `, **while other programs were running (load ${load})**` : "";
  const missed = rows.filter(({ isMet }) => !isMet).map(({ id }) => `\`${id}\``);
  const lines = [
    `Medians of a ${mode} run of ${commit} on ${date} (${cores} × ${cpu}, Node ${node})${note}.`,
    "",
    "| what | shelfleet | others | goal |",
    "|---|--:|---|---|",
    ...rows.map(tableLine),
    "",
    `${rows.length - missed.length} of ${rows.length} goals are reached. Not reached: ${missed.join(", ") || "none"}.`,
    "",
    "![How many times better or worse shelfleet is than each of the others](figures.svg)",
  ];
  return [...lines, ...oldTable(rows)].join("\n");
}

function tableLine({ id, title, unit, contenders, goal, isMet }: ResultRow): string {
  const [own, ...others] = contenders.filter(({ name }) => name !== oldName);
  const cells = [
    `${title} (\`${id}\`)`,
    `${formatFigure(own?.median ?? Number.NaN)} ${unit}`.trim(),
    others.map(otherFigure).join("; "),
    `${goal}: ${isMet ? "reached" : "**not reached**"}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function otherFigure({ name, median, ahead }: ContenderFigures): string {
  return `${name} ${formatFigure(median)} (${formatFigure(ahead.median)} ×)`;
}

function oldTable(rows: readonly ResultRow[]): string[] {
  const lines = rows.flatMap(({ title, unit, contenders }) => {
    const [own, old] = [contenders[0], contenders.find(({ name }) => name === oldName)];
    if (own === undefined || old === undefined) return [];
    const [median, min, max] = [old.ahead.median, old.ahead.min, old.ahead.max].map(formatFigure);
    return `| ${title} | ${formatFigure(own.median)} ${unit} | ${formatFigure(old.median)} | ${median} (${min} – ${max}) |`;
  });
  if (lines.length === 0) return [];
  const head = ["| what | now | 0.1 | times better (min – max) |", "|---|--:|--:|--:|"];
  return ["", "Beside version 0.1, in the same run:", "", ...head, ...lines];
}
