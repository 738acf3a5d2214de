/** Shows a history that breaks a rule: requests and responses as a table, the rule, and a test to paste. */
import type { Exchange } from "../observer.ts";
import type { Scenario } from "../scenario.ts";
import { kindOf, shrink, toTest } from "../shrink.ts";
import { keyOf } from "../truth.ts";
import { runWithTwins } from "../twins.ts";

export async function describeViolation(scenario: Scenario, violation: string): Promise<string> {
  const kind = kindOf(violation);
  const smallest = await shrink(scenario, kind, 300);
  const { violations, exchanges } = await runWithTwins(smallest);
  const rule = violations.find((one) => kindOf(one) === kind) ?? violation;
  return [rule, "", toTable(smallest, exchanges), "", toTest(kind, smallest)].join("\n");
}

export function toTable({ changes }: Scenario, exchanges: readonly Exchange[]): string {
  const rows = exchanges.map(({ number, request, response, fault }) => {
    const events = [changes[number], fault].flatMap((event) =>
      event === undefined ? [] : [describe(event)],
    );
    const line = request.replace(/https:\/\/\S+?(?=\/v1|\/[a-z-]+\b)/, "");
    return `| ${number} | ${line} | ${events.join(", ")} | ${shorten(response).replaceAll("|", "\\|")} |`;
  });
  return ["| # | request | before it arrives, and its fault | response |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
}

/** The response with the IDs of its items instead of these. */
function shorten(response: string): string {
  const [, head = "", body = ""] = /^(\d+ \w+ )([[{].*)$/s.exec(response) ?? [];
  const text = body === "" ? response : head + withoutItems(body);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

function withoutItems(body: string): string {
  const nameOf = (item: unknown): unknown => {
    if (typeof item !== "object" || item === null) return item;
    const { externalId } = item as { externalId?: string | null };
    return [externalId ?? [], keyOf(item)].flat().join(" ").replaceAll('"', "");
  };
  try {
    return JSON.stringify(JSON.parse(body), (_, value: unknown) =>
      Array.isArray(value) ? value.map(nameOf) : value,
    );
  } catch {
    return body; // what a fault has left of it
  }
}

function describe(event: object): string {
  return Object.values(event).join(" ");
}
