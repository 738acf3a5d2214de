import type { Gap } from "./gaps.ts";

const begin = "<!-- gaps: begin, written by npm run generate -->";
const end = "<!-- gaps: end -->";

function choices(gap: Gap): string {
  const names = Object.keys(gap.readings ?? {});
  return names.map((name) => (name === gap.default ? `**${name}**` : name)).join(", ");
}

function chosenBy(gap: Gap): string {
  const client = gap.option === "client" ? ["client"] : [];
  const server = gap.affects?.includes("mock") ? ["server"] : [];
  return [...client, ...server].join(", ");
}

/** One row for each gap that has readings. */
function table(gaps: Gap[]): string {
  const rows = gaps
    .filter((gap) => gap.readings !== undefined)
    .map(
      (gap) =>
        `| \`${gap.id}\` | ${gap.question.replaceAll("|", "\\|")} | ${choices(gap)} | ${chosenBy(gap)} |`,
    );
  return [
    "| gap | question | readings, the default in bold | option of |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** `text` with the table of gaps between its two marks; as it is where it has no marks. */
export function withGapTable(text: string, gaps: Gap[]): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) return text;
  return `${text.slice(0, from)}${begin}\n${table(gaps)}\n${text.slice(to)}`;
}
