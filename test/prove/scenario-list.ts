import { type Scenario, scenarios } from "../../src/prove/index.ts";

const MARKS = /(<!-- scenarios: begin[^>]*-->\n)[^]*?(<!-- scenarios: end -->)/;

/** Replaces the list of scenarios in a document. */
export function replaceScenarioList(document: string): string {
  return document.replace(MARKS, (_, begin: string, end: string) => `${begin}${scenarioList()}${end}`);
}

/** Returns the list of all scenarios in Markdown: a table for each family, and a row for each event. */
function scenarioList(): string {
  const families = new Set(scenarios.map(({ family }) => family));
  const membersOf = (family: string) => scenarios.filter((scenario) => scenario.family === family);
  return [...families].map((family) => familyTable(family, membersOf(family))).join("");
}

function familyTable(family: string, members: readonly Scenario[]): string {
  const names = [...new Set(members.map(({ plan }) => plan.event))];
  const rows = names.map((name) => {
    const same = members.filter(({ plan }) => plan.event === name);
    const tasks = same.map(({ task }) => `\`${task}\``).join(", ");
    const [{ plan, why, right }] = same as [Scenario]; // each name comes from a scenario
    const { cannotDiffer, unnoticeable } = plan;
    const mark = cannotDiffer === undefined ? "" : "does not count: ";
    const note = unnoticeable === undefined ? "" : ` No client can notice it: ${unnoticeable}.`;
    return `| \`${name}\` | ${tasks} | ${why} | ${mark}${right}${note} |`;
  });
  const head = ["| scenario | tasks | why it happens | right would be |", "|---|---|---|---|"];
  return [`\n### ${family}: ${members.length}\n`, ...head, ...rows, ""].join("\n");
}
