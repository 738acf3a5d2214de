import { groupGaps } from "../../specs/generate/gap-groups.ts";
import type { Gap } from "../../specs/generate/gaps.ts";

/** Every gap with its question, its readings and what the client does, after the introduction of the guide. */
export function gapsPage(introduction: string, gaps: readonly Gap[]): string {
  const groups = groupGaps(gaps);
  const sorted = groups.flatMap((group) => group.gaps);
  const parts = groups.flatMap(({ api, resource, gaps: own }, index) => [
    ...(groups[index - 1]?.api === api ? [] : [`## ${api}`]),
    `### ${resource}`,
    ...own.map(describeGap),
  ]);
  return [
    introduction,
    "## By who needs it",
    ...needs.map((need) => describeNeed(need, sorted)),
    ...parts,
  ].join("\n\n");
}

const needs: readonly { who: string; isNeeded: (gap: Gap) => boolean }[] = [
  {
    who: "**Programs** tell a client these readings of the service",
    isNeeded: ({ option }) => option === "client",
  },
  {
    who: "**Tests** can also choose the readings of these gaps for the reference server",
    isNeeded: ({ option, affects }) => option !== "client" && affects?.includes("mock") === true,
  },
  {
    who: "**Nobody** sets these gaps",
    isNeeded: ({ option, affects }) => option !== "client" && affects?.includes("mock") !== true,
  },
];

/** The links to the gaps that one kind of reader needs. */
function describeNeed({ who, isNeeded }: (typeof needs)[number], gaps: readonly Gap[]): string {
  const links = gaps.filter(isNeeded).map(({ id }) => `[${id}](#${id.replaceAll(".", "")})`);
  return `${who}: ${links.join(", ")}.`;
}

function describeGap(gap: Gap): string {
  const { id, question, section, source, client, settled } = gap;
  return [
    `#### ${id}`,
    `**${question}**`,
    choices(gap.readings, gap.default),
    gap["default-reason"] && `*The default:* ${gap["default-reason"]}`,
    client && `*The client:* ${client}`,
    settled,
    `<small>Contract: ${gap.api} ${section} (${source}). ${describeSetting(gap)}</small>`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
}

/** Readings as a table, the default in bold. */
function choices(names: Readonly<Record<string, string>> = {}, first = ""): string {
  const rows = Object.entries(names).map(([name, meaning]) => {
    const label = name === first ? `**\`${name}\`** (default)` : `\`${name}\``;
    return `| ${label} | ${meaning.replaceAll("|", "\\|")} |`;
  });
  return rows.length === 0 ? "" : ["| reading | |", "|---|---|", ...rows].join("\n");
}

function describeSetting({ option, affects = [] }: Gap): string {
  const places = [
    option === "client" ? "an option of the client" : "",
    affects.includes("mock") ? "`readings` of the reference server" : "",
  ].filter((place) => place !== "");
  return places.length === 0 ? "Nothing is to be set." : `Set by ${places.join(" and ")}.`;
}
