import type { CheckedExchange } from "./exchange.ts";
import { type Fault, type Finding, findingOf } from "./finding.ts";
import { routeOf } from "./operations.ts";
import { requestFaults, routeFault } from "./request.ts";
import { responseFaults } from "./response.ts";

/** The findings of the checks in an exchange. */
export interface Checked {
  /** The operation; `undefined` if the contract has no such operation. */
  readonly operation: string | undefined;
  /** The violations, and the findings that a gap leaves open. Each ID occurs once among both. */
  readonly findings: readonly Finding[];
}

/** The number of values outside an enum that are remembered. */
const MAX_UNLISTED = 1_000;

/** The number of characters of such a value. */
const MAX_LENGTH = 1_000;

/** Checks requests and their responses against the contract. */
export class ContractChecker {
  /** Values outside an enum in requests: a service may store them. gap requests.unlisted-values */
  readonly #unlisted = new Set<string>();

  check(exchange: CheckedExchange): Checked {
    if (isPreflight(exchange)) return { operation: undefined, findings: [] };
    const { api, method, path, status } = exchange;
    const route = routeOf(api, method, path);
    const { operation } = route;
    if (operation === undefined) {
      const context = { side: "request", operation: "-", status: undefined } as const;
      return { operation: undefined, findings: [findingOf(context, routeFault(exchange, route))] };
    }
    const ofRequest = { side: "request", operation: operation.id, status: undefined } as const;
    const ofResponse = { side: "response", operation: operation.id, status } as const;
    const sent = requestFaults(exchange, operation, route);
    this.#remember(sent);
    const findings = [
      ...sent.map((fault) => findingOf(ofRequest, fault)),
      ...responseFaults(exchange, operation).map((fault) => findingOf(ofResponse, this.#withGap(fault))),
    ];
    return { operation: operation.id, findings: firstOfEach(findings) };
  }

  #remember(faults: readonly Fault[]): void {
    for (const { unlisted } of faults)
      if (unlisted !== undefined && unlisted.length <= MAX_LENGTH && this.#unlisted.size < MAX_UNLISTED)
        this.#unlisted.add(unlisted);
  }

  #withGap(fault: Fault): Fault {
    if (fault.unlisted === undefined || !this.#unlisted.has(fault.unlisted)) return fault;
    return { ...fault, gap: "requests.unlisted-values" };
  }
}

/** A CORS preflight is not part of the contract. */
function isPreflight({ method, requestHeaders }: CheckedExchange): boolean {
  return method === "OPTIONS" && requestHeaders["access-control-request-method"] !== undefined;
}

/** Returns the first violation and the first note of each ID: another row can have a value that no gap leaves open. */
function firstOfEach(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ id, gap }) => !seen.has(`${id} ${gap}`) && seen.add(`${id} ${gap}`));
}
