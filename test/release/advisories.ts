/** The outcome of the audit of one lock file. */
export interface Verdict {
  /** The number of packages with a known vulnerability; undefined if the registry did not answer. */
  readonly known: number | undefined;
  /** The outcome in a sentence. */
  readonly line: string;
}

interface Report {
  vulnerabilities: Record<string, { severity: string; range: string }>;
}

/** Reads the output of `npm audit --json`. Any output that is not a report means that the registry did not respond. */
export function readAudit(output: string): Verdict {
  const report = parse(output);
  if (!isReport(report))
    return { known: undefined, line: `NOT CHECKED: the registry did not answer${because(report)}` };
  const found = Object.entries(report.vulnerabilities);
  const named = found.map(([name, { severity, range }]) => `${name} ${range} (${severity})`);
  return {
    known: found.length,
    line: found.length === 0 ? "no known vulnerability" : `known vulnerabilities in ${named.join(", ")}`,
  };
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

function isReport(report: unknown): report is Report {
  return typeof report === "object" && report !== null && "vulnerabilities" in report && !("error" in report);
}

/** The status of a response that was not a report. */
function because(report: unknown): string {
  const status =
    typeof report === "object" && report !== null && "statusCode" in report ? report.statusCode : undefined;
  return typeof status === "number" ? ` (status ${status})` : "";
}
