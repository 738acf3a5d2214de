/** Shows a history that breaks a rule: requests and responses as a table, the rule, and a test to paste. */
import type { Exchange } from "../observer.ts";
import type { Scenario } from "../scenario.ts";
import { kindOf, shrink, toScript } from "../shrink.ts";
import { runWithTwins } from "../twins.ts";

export async function describeViolation(scenario: Scenario, violation: string): Promise<string> {
  const kind = kindOf(violation);
  const smallest = await shrink(scenario, kind, 300);
  const { violations, exchanges } = await runWithTwins(smallest);
  const rule = violations.find((one) => kindOf(one) === kind) ?? violation;
  return [rule, "", toTable(smallest, exchanges), "", toScript(smallest)].join("\n");
}

export function toTable({ changes }: Scenario, exchanges: readonly Exchange[]): string {
  const rows = exchanges.map(({ number, request, response, fault }) => {
    const events = [changes[number], fault].flatMap((event) =>
      event === undefined ? [] : [describe(event)],
    );
    const line = request.replace(/https:\/\/\S+?(?=\/v1|\/[a-z-]+\b)/, "");
    return `| ${number} | ${line} | ${events.join(", ")} | ${response.slice(0, 240).replaceAll("|", "\\|")} |`;
  });
  return ["| # | request | before it arrives, and its fault | response |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function describe(event: object): string {
  return Object.values(event).join(" ");
}
