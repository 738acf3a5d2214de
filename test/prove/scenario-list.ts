import { type Scenario, scenarios } from "../../src/prove/index.ts";
import { apiOf, tasks } from "../../src/prove/tasks/index.ts";
import { namesOf } from "../../src/wire/names.ts";

const TASKS = /(<!-- tasks: begin[^>]*-->\n)[^]*?(<!-- tasks: end -->)/;
const MARKS = /(<!-- scenarios: begin[^>]*-->\n)[^]*?(<!-- scenarios: end -->)/;

/** Replaces the list of scenarios in a document. */
export function replaceScenarioList(document: string): string {
  return document
    .replace(TASKS, (_, begin: string, end: string) => `${begin}${taskList()}${end}`)
    .replace(MARKS, (_, begin: string, end: string) => `${begin}${scenarioList()}${end}`);
}

/** Returns the list of all tasks in Markdown, with the data of their JSON files: the first element of each list. */
function taskList(): string {
  const rows = namesOf(tasks).map((name) => {
    const { words, data } = tasks[name];
    return `| \`${name}\` | ${apiOf(name)} | ${words} | \`${JSON.stringify(shorten(data))}\` |`;
  });
  return ["\n| `name` | `api` | `words` | `data` |", "|---|---|---|---|", ...rows, "\n"].join("\n");
}

/** Returns the data of a task with the first object of each list of objects. */
function shorten(data: object): object {
  const isLong = (value: unknown) => Array.isArray(value) && typeof value[0] === "object";
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) && isLong(value) ? value.slice(0, 1) : value,
    ]),
  );
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
    const taskNames = same.map(({ task }) => `\`${task}\``).join(", ");
    const [{ plan, why }] = same as [Scenario]; // each name comes from a scenario
    const [right, rightOfWrites] = new Set(same.map((scenario) => scenario.right));
    const remedy = rightOfWrites === undefined ? right : `${right} For a task that writes: ${rightOfWrites}`;
    const { unnoticeable } = plan;
    const note = unnoticeable === undefined ? "" : ` No client can notice it: ${unnoticeable}.`;
    return `| \`${name}\` | ${taskNames} | ${why} | ${remedy}${note} |`;
  });
  const head = ["| scenario | tasks | why it happens | right would be |", "|---|---|---|---|"];
  return [`\n### ${family}: ${members.length}\n`, ...head, ...rows, ""].join("\n");
}
