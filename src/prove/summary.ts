import { escapeLine } from "../wire/foreign-text.ts";
import { type Report, tellStory, UNKNOWN } from "./report.ts";

/** Returns the lines about failures, grouped by what would have been right, and the counts. */
export function summarize(reports: readonly Report[], repeat: (scenario: string) => string): string[] {
  const failed = reports.filter(({ right }) => right !== undefined);
  const groups = [...Map.groupBy(failed, ({ right = "" }) => right)];
  return [
    ...groups
      .toSorted(([, a], [, b]) => rank(b) - rank(a))
      .flatMap(([right, group]) => describeGroup(right, group, repeat)),
    ...describeOthers(reports, "warning", ({ warning }) => warning),
    ...describeOthers(
      reports,
      "not exercised",
      ({ unreached }) => unreached && `did not reach: ${unreached}`,
    ),
    ...describeOthers(reports, "not judged", ({ verdict }) => (verdict === "not judged" ? "" : undefined)),
    countVerdicts(reports),
  ];
}

/** Failures in a world without faults come first. */
function rank(group: readonly Report[]): number {
  return group.some(({ family }) => family === "plain") ? Infinity : group.length;
}

function describeGroup(
  right: string,
  group: readonly Report[],
  repeat: (scenario: string) => string,
): string[] {
  const [first, ...others] = group.toSorted((a, b) => a.requests.length - b.requests.length);
  if (first === undefined) return [];
  return [
    `${group.length === 1 ? "1 scenario" : `${group.length} scenarios`} with one remedy: ${right}`,
    "",
    ...tellStory(first).split("\n"),
    `  run it again     ${repeat(first.scenario)}`,
    ...others.map(({ scenario, verdict, findings }) => {
      const kinds = [...new Set(findings.map(({ kind }) => kind))].join(", ");
      return `  also             ${scenario}: ${verdict}${kinds === "" ? "" : ` (${kinds})`}`;
    }),
    "",
  ];
}

/** Returns the reports for which there is a reason. */
function describeOthers(
  reports: readonly Report[],
  title: string,
  reasonOf: (report: Report) => string | undefined,
): string[] {
  const lines = reports.flatMap((report) => {
    const reason = reasonOf(report);
    const failure = report.failure === undefined ? "" : ` (${report.failure.slice(0, 200)})`;
    return reason === undefined ? [] : [`  ${report.scenario}: ${reason}${failure}`];
  });
  return lines.length === 0 ? [] : [`${title}: ${lines.length}`, ...lines, ""];
}

function countVerdicts(reports: readonly Report[]): string {
  const groups = Map.groupBy(reports, ({ verdict }) => verdict);
  return `${reports.length} scenarios: ${[...groups].map(([verdict, { length }]) => `${length} ${verdict}`).join(", ")}`;
}

/** Returns the reports as JUnit XML. */
export function toJunit(reports: readonly Report[]): string {
  const count = (isError: boolean) =>
    reports.filter(({ isPass, verdict }) => !isPass && UNKNOWN.has(verdict) === isError).length;
  const cases = reports.map((report) => {
    const { family, scenario, verdict, isPass } = report;
    const kind = UNKNOWN.has(verdict) ? "error" : "failure";
    const content = isPass ? "" : `<${kind} message="${verdict}">${escapeXml(tellStory(report))}</${kind}>`;
    return `<testcase classname="${family}" name="${escapeXml(scenario)}">${content}</testcase>`;
  });
  const head = `<testsuite name="shelfleet prove" tests="${reports.length}" failures="${count(false)}" errors="${count(true)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join("\n")}\n</testsuite>\n`;
}

/** Returns text for an element or an attribute of XML. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };
  return text
    .split("\n")
    .map((line) => escapeLine(line).replace(/[&<>"]/g, (sign) => `&${entities[sign]};`))
    .join("\n");
}
