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
    isNeeded: ({ option, readings }) => option !== "client" && readings !== undefined,
  },
  {
    who: "**Nobody** sets these gaps",
    isNeeded: ({ settled }) => settled !== undefined,
  },
];

/** The links to the gaps that one kind of reader needs. */
function describeNeed({ who, isNeeded }: (typeof needs)[number], gaps: readonly Gap[]): string {
  const links = gaps.filter(isNeeded).map(({ id }) => `[${id}](#${id.replaceAll(".", "")})`);
  return `${who}: ${links.join(", ")}.`;
}

function describeGap({ id, api, question, section, source, option, ...gap }: Gap): string {
  const { readings, breaks, client, settled } = gap;
  const setting = option === "client" ? " An option of the client is about it." : "";
  return [
    `#### ${id}`,
    `**${question}**`,
    readings && choices(readings),
    breaks && `*What another reading breaks:* ${breaks}`,
    client && `*The client:* ${client}`,
    settled,
    `<small>Contract: ${api} ${section} (${source}).${setting}</small>`,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

/** Readings as a table, the default first. */
function choices(readings: Readonly<Record<string, string>>): string {
  const rows = Object.entries(readings).map(([name, meaning], index) => {
    const label = index === 0 ? `**\`${name}\`** (default)` : `\`${name}\``;
    return `| ${label} | ${meaning.replaceAll("|", "\\|")} |`;
  });
  return ["| reading | |", "|---|---|", ...rows].join("\n");
}
