import { oldName, type Result, type ResultRow } from "./result.ts";
import { formatFigure } from "./statistics.ts";

/** bench/README.md with new lines between the markers. */
export function replaceBlock(readme: string, block: string): string {
  const marks = /(<!-- bench: begin[^>]*-->\n)[^]*(<!-- bench: end -->)/;
  return readme.replace(marks, (_, begin: string, end: string) => `${begin}${block}\n${end}`);
}

/** The table of bench/README.md, and another one if version 0.1 took part. */
export function resultsBlock({ env, rows }: Result): string {
  const { mode, date, commit, cores, cpu, node, load, note: warning } = env;
  const note = load > 0.5 ? `, **while other programs were running (load ${load})**` : "";
  const lines = [
    `A ${mode} run of ${commit} on ${date} (${cores} × ${cpu}, Node ${node})${note}.`,
    ...(warning === undefined ? [] : [warning]),
    "",
    "| what | client | median | best tenth | processor time | best tenth | shelfleet is better |",
    "|---|---|--:|--:|--:|--:|--:|",
    ...rows.flatMap(tableLines),
    "",
    "![How many times better or worse shelfleet is than each of the others](figures.svg)",
  ];
  return [...lines, ...oldTable(rows)].join("\n");
}

/** A line for each contender; the first one has the title. */
function tableLines({ id, title, unit, contenders }: ResultRow): string[] {
  const measured = contenders.filter(({ name }) => name !== oldName);
  return measured.map(({ name, median, best, processor, ahead }, index) => {
    const isFirst = index === 0;
    const times = [processor?.median, processor?.best].map((time) =>
      time === undefined ? "" : formatFigure(time),
    );
    const cells = [
      isFirst ? `${title} (\`${id}\`)` : "",
      isFirst ? `**${name}**` : name,
      `${formatFigure(median)} ${isFirst ? unit : ""}`.trim(),
      formatFigure(best),
      ...times,
      isFirst ? "" : `${formatFigure(ahead.median)} ×`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
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
