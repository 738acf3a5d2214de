import { ContractChecker } from "../../../src/field/proxy/check/check.ts";
import type { Body, CheckedExchange } from "../../../src/field/proxy/check/exchange.ts";
import type { Finding } from "../../../src/field/proxy/check/finding.ts";
import type { OperationId, ReferenceServer } from "../../../src/mock/index.ts";
import type { RequestCase } from "../../operations/request-cases.ts";
import { sendCase, bodyText, contractCases, sampleOf, targetOf } from "../../operations/contract-cases.ts";
import { type ApiOperation, operationsOf } from "../../operations/operations.ts";

export const operations = [...operationsOf("store"), ...operationsOf("fleet")];

export function operationNamed(id: OperationId): ApiOperation {
  const found = operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

function bodyOf(text: string | undefined): Body {
  return text === undefined || text === "" ? { kind: "none" } : { kind: "text", text };
}

/** Sends a request to a server in the same process and checks the exchange. */
async function runChecked(
  ref: ReferenceServer,
  operation: ApiOperation,
  requested: RequestCase,
): Promise<readonly Finding[]> {
  const response = await sendCase(ref, operation, requested);
  const [path = "", query = ""] = targetOf(operation, requested).split("?");
  const text = bodyText(requested);
  const secret = requested.secret ?? (operation.api === "store" ? ref.token : ref.keys[0]?.key);
  const body = await response.text();
  const exchange: CheckedExchange = {
    api: operation.api,
    method: operation.method,
    path,
    query,
    requestHeaders: {
      authorization: `Bearer ${secret}`,
      ...(text !== undefined && { "content-type": "application/json" }),
    },
    requestBody: bodyOf(text),
    status: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: bodyOf(body),
  };
  return new ContractChecker().check(exchange).findings;
}

/** The text of a finding, for the message of a failed test. */
export function sentence({ side, operation, status, place, expected, actual }: Finding): string {
  return `${side} ${operation} ${status ?? ""} ${place}: expected ${expected}, got ${actual}`;
}

/** The violations: findings that no gap leaves open. */
export function violations(findings: readonly Finding[]): string[] {
  return findings.filter(({ gap }) => gap === undefined).map(sentence);
}

/** Sends every request of operations. Returns the violations by the responses, and by the valid requests. */
export async function walkSurface(
  create: () => ReferenceServer,
  walked: readonly ApiOperation[] = operations,
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of walked) {
    const unchanged = create();
    const { good, bad, unknown, open } = contractCases(unchanged, operation);
    for (const requested of good) found.push(...violations(await runChecked(create(), operation, requested)));
    for (const requested of [...bad, ...unknown, ...open]) {
      // only a write that is accepted changes the server
      const isRead = operation.method === "GET" || bad.includes(requested);
      const findings = await runChecked(isRead ? unchanged : create(), operation, requested);
      found.push(...violations(findings.filter(({ side }) => side === "response")));
    }
  }
  return [...new Set(found)];
}

export { sampleOf };
