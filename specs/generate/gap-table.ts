import { groupGaps } from "./gap-groups.ts";
import type { Gap } from "./gaps.ts";

const begin = "<!-- gaps: begin, written by npm run generate -->";
const end = "<!-- gaps: end -->";

/** One row for each gap that has readings, in a table for each resource. */
function tables(gaps: Gap[]): string {
  const groups = groupGaps(gaps.filter(({ readings }) => readings !== undefined));
  return groups
    .map((group, index) => {
      const heading = groups[index - 1]?.api === group.api ? [] : [`## ${group.api}`, ""];
      return [
        ...heading,
        `### ${group.resource}`,
        "",
        "| gap | question | readings, the default first | breaks |",
        "|---|---|---|---|",
        ...group.gaps.map(row),
      ].join("\n");
    })
    .join("\n\n");
}

function row({ id, question, readings = {}, breaks = "" }: Gap): string {
  const [first, ...others] = Object.keys(readings);
  const cells = [`\`${id}\``, question, [`**${first}**`, ...others].join(", "), breaks];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** `text` with the tables of gaps between its two marks; as it is where it has no marks. */
export function withGapTable(text: string, gaps: Gap[]): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) return text;
  return `${text.slice(0, from)}${begin}\n\n${tables(gaps)}\n\n${text.slice(to)}`;
}
