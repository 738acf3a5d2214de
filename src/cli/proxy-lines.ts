import type { Finding } from "../field/proxy/check/finding.ts";
import type { Counted, ProxySummary } from "../field/proxy/tally.ts";

/** Returns a finding on one line. */
export function findingLine(finding: Finding, json: boolean): string {
  const { id, side, operation, status, place, expected, actual, gap } = finding;
  const type = gap === undefined ? "violation" : "note";
  if (json) return JSON.stringify({ type, ...finding });
  const location = [side, operation, status, place].filter((part) => part !== undefined).join(" ");
  return `${type} ${id} ${location}: expected ${expected}, got ${actual}${gap === undefined ? "" : ` (gap ${gap})`}`;
}

/** Returns the URLs of the proxy and their targets. */
export function urlLines(
  origin: string,
  targets: readonly { name: string; mount: string; url: URL }[],
  json: boolean,
): string[] {
  if (json) {
    const urls = targets.map(({ name, mount }) => [`${name}Url`, origin + mount]);
    return [JSON.stringify({ type: "listening", ...Object.fromEntries(urls) })];
  }
  return targets.map(({ name, mount, url }) => `${name.padEnd(8)}${origin}${mount} -> ${url.href}`);
}

function flat({ finding, count }: Counted): Finding & { count: number } {
  return { ...finding, count };
}

/** Returns the last lines: each violation with its count, then the totals. */
export function summaryLines(summary: ProxySummary, json: boolean): string[] {
  const { exchanges, failures, unread, violations, open, uncounted } = summary;
  if (json) {
    const counts = { exchanges, failures, unread, uncounted };
    return [
      JSON.stringify({
        type: "summary",
        ...counts,
        violations: violations.map(flat),
        open: open.map(flat),
      }),
    ];
  }
  const service = violations.filter(({ finding }) => finding.side === "response").length;
  const lines = violations.map(
    ({ finding, count }) => `${String(count).padStart(7)} x ${findingLine(finding, false)}`,
  );
  lines.push(
    `${exchanges} exchanges; ${service} violations by the service, ${violations.length - service} by the program`,
  );
  if (failures > 0) lines.push(`${failures} exchanges without a complete response`);
  if (unread > 0) lines.push(`${unread} bodies not checked: too large, or in an unknown coding`);
  if (open.length > 0)
    lines.push(`${open.length} notes on what the contract leaves open (--notes prints them)`);
  if (uncounted > 0) lines.push(`${uncounted} further findings were not counted separately`);
  return lines;
}
