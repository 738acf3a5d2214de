import { type CauseId, type Report, type Scenario, causes, tellStory } from "../../mock/scenarios/index.ts";
import { toLine } from "../output.ts";

/** Returns the lines about failures, grouped by cause, and the counts. */
export function summarize(reports: readonly Report[], repeat: (scenario: string) => string): string[] {
  const failed = reports.filter(({ isPass, verdict }) => !isPass && verdict !== "not exercised");
  const groups = Map.groupBy(failed, ({ cause = "basics" }) => cause);
  const ordered = [...groups].toSorted(
    ([a, firstGroup], [b, secondGroup]) => rank(a) - rank(b) || secondGroup.length - firstGroup.length,
  );
  return [
    ...ordered.flatMap(([cause, group]) => describeGroup(cause, group, repeat)),
    ...describeOthers(
      "warning",
      reports.filter(({ warning }) => warning !== undefined),
    ),
    ...describeOthers(
      "not exercised",
      reports.filter(({ verdict }) => verdict === "not exercised"),
    ),
    ...count(reports),
  ];
}

/** Failures in a world without faults come first. */
function rank(cause: CauseId): number {
  return cause === "basics" ? 0 : 1;
}

function describeGroup(
  cause: CauseId,
  group: readonly Report[],
  repeat: (scenario: string) => string,
): string[] {
  const [first, ...others] = group.toSorted((a, b) => a.requests.length - b.requests.length);
  if (first === undefined) return [];
  const number = group.length === 1 ? "1 scenario" : `${group.length} scenarios, one cause`;
  return [
    `${number}: ${causes[cause].title}`,
    "",
    tellStory(first),
    `  run it again     ${repeat(first.scenario)}`,
    ...others.map(({ scenario, verdict, findings }) => {
      const kinds = [...new Set(findings.map(({ kind }) => kind))].join(", ");
      return `  also             ${scenario}: ${verdict}${kinds === "" ? "" : ` (${kinds})`}`;
    }),
    "",
  ];
}

function describeOthers(title: string, reports: readonly Report[]): string[] {
  if (reports.length === 0) return [];
  const texts = reports.map(({ scenario, warning, failure }) => {
    const reason = warning === undefined ? "the program did not reach the fault" : warning;
    return `  ${scenario}: ${reason}${failure === undefined ? "" : ` (${toLine(failure.slice(0, 100))})`}`;
  });
  return [`${title}: ${reports.length}`, ...texts, ""];
}

function count(reports: readonly Report[]): string[] {
  const counts = new Map<string, number>();
  for (const { verdict } of reports) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts].map(([verdict, number]) => `${number} ${verdict}`);
  return [`${reports.length} scenarios: ${parts.join(", ")}`];
}

/** A scenario whose rows cannot be read. */
export interface UnreadScenario {
  readonly scenario: Scenario;
  readonly reason: string;
}

/** Returns the reports as JUnit XML. */
export function toJunit(reports: readonly Report[], unread: readonly UnreadScenario[]): string {
  const judged = reports.map((report) => {
    const { family, scenario, verdict, isPass } = report;
    if (isPass) return toCase(family, scenario, "");
    const story = escapeXml(tellStory(report));
    const content =
      verdict === "not exercised"
        ? `<error message="not exercised">${story}</error>`
        : `<failure message="${escapeXml(verdict)}">${story}</failure>`;
    return toCase(family, scenario, content);
  });
  const others = unread.map(({ scenario: { family, name }, reason }) =>
    toCase(family, name, `<error message="not judged">${escapeXml(toLine(reason))}</error>`),
  );
  const cases = [...judged, ...others];
  const failures = reports.filter(({ isPass, verdict }) => !isPass && verdict !== "not exercised").length;
  const errors = reports.filter(({ verdict }) => verdict === "not exercised").length;
  const head = `<testsuite name="shelfleet prove" tests="${cases.length}" failures="${failures}" errors="${errors + unread.length}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join("\n")}\n</testsuite>\n`;
}

function toCase(family: string, name: string, content: string): string {
  return `<testcase classname="${escapeXml(family)}" name="${escapeXml(name)}">${content}</testcase>`;
}

/** Returns text for an element or an attribute of XML. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };
  return text.replace(/[&<>"]/g, (sign) => `&${entities[sign]};`);
}
