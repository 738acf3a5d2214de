import { expect, onTestFinished } from "vitest";
import { ContractChecker } from "../../src/field/proxy/check/check.ts";
import type { Body } from "../../src/field/proxy/check/exchange.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { violations } from "../field/proxy/walk.ts";

/** At the end of the test, the proxy must accept each response that the server sent without an override. */
export function assertContract({ journal }: ReferenceServer): void {
  onTestFinished(() => {
    const checker = new ContractChecker();
    const found = journal.all().flatMap(({ base, query, headers, body, response, overrides, ...request }) => {
      if (response === null || response.omittedBody !== undefined || overrides !== undefined) return [];
      const { findings } = checker.check({
        ...request,
        api: base === "store" ? "store" : "fleet",
        query: queryOf(query),
        requestHeaders: headers,
        requestBody: bodyOf(body),
        status: response.status,
        responseHeaders: response.headers,
        responseBody: bodyOf(response.body),
      });
      return violations(findings.filter(({ side }) => side === "response"));
    });
    expect(found).toEqual([]);
  });
}

function queryOf(query: Readonly<Record<string, string | string[]>>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}

function bodyOf(body: unknown): Body {
  return body === undefined ? { kind: "none" } : { kind: "text", text: JSON.stringify(body) };
}
