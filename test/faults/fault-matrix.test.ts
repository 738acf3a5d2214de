import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { ApiError, ConnectionError, TimeoutError, UnexpectedResponseError } from "../../src/index.ts";
import type { ClientOptions, Transport } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node.ts";
import { type Consequence, type FaultRow, faultRows } from "./fault-rows.ts";
import { faultServer } from "./fault-server.ts";
import { runtimeWith, timeout, untilNext } from "./limits.ts";
import { clientsOf, healthyResponse, type OperationClass, operationClasses } from "./operation-classes.ts";

/** The outcome of one call. */
interface Result {
  outcome: "ok" | "C" | "T" | "U" | "A";
  /** The number of requests, without the pages of a list before the fault. */
  sent: number;
}

const classes = Object.entries<OperationClass>(operationClasses);
const names = [
  ["C", ConnectionError],
  ["T", TimeoutError],
  ["U", UnexpectedResponseError],
  ["A", ApiError],
] as const;

/** Sends one operation to an origin and checks the result. `before` is the number of pages before the fault. */
async function send(
  origin: string,
  operation: OperationClass,
  before: number,
  limits: Pick<ClientOptions, "timeout" | "totalTimeout" | "runtime" | "transport">,
): Promise<Result> {
  let sent = 0;
  const clients = clientsOf(origin, { onRequest: () => void (sent += 1) }, limits);
  const settled = await Promise.resolve(operation.call(clients)).then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  if (settled.error === undefined) {
    assert.deepStrictEqual(settled.value, operation.expected, "something was lost or came twice");
    return { outcome: "ok", sent: sent - operation.requests + 1 };
  }
  const name = names.find(([, kind]) => settled.error instanceof kind)?.[0];
  if (name === undefined) assert.fail(settled.error as Error);
  if (name !== "U") assert.ok((settled.error as ApiError).attempts <= sent - before);
  return { outcome: name, sent: sent - before };
}

/**
 * Sends an operation with a fault in every response or in one response; in a list the fault begins at the second page.
 */
async function runWithFault(
  row: FaultRow,
  operation: OperationClass,
  once: boolean,
  transport: Transport | undefined,
): Promise<Result> {
  const { sendFault, consequence, unread = false } = row;
  const first = operation.requests > 1 && !unread ? 1 : 0;
  const applies = (index: number): boolean => (once ? index === first : index >= first);
  let faults = 0;
  const server = await faultServer({
    respond: healthyResponse,
    applies,
    sendFault: (...response) => {
      sendFault(...response);
      faults += 1;
    },
    unread,
  });
  const isLate = consequence.kind === "lost" && consequence.error === "TimeoutError";
  // a 429 in every response is waited for until the end of `totalTimeout`
  const isRefused = consequence.kind === "refused" && !once;
  const limits = {
    timeout,
    transport,
    ...(isLate && { runtime: runtimeWith(untilNext(() => faults)) }),
    ...(isRefused && { totalTimeout: timeout, runtime: runtimeWith(() => () => faults > 2) }),
  };
  const result = await send(server.origin, operation, first, limits);
  // a request that must not be repeated arrives once, unless the server said that it did not process it
  const twice = !operation.repeatable && consequence.kind !== "refused" && server.requests.length > 1;
  assert.ok(!twice, "a request came twice");
  if (!isRefused) return result;
  // the time ends during a request or between two
  return { outcome: result.outcome === "T" ? "A" : result.outcome, sent: Math.min(result.sent, 2) };
}

/** The outcomes that the retry policy requires: with the fault in every response, and in one response. */
function due(consequence: Consequence, name: string, operation: OperationClass): [Result, Result] {
  const ok = (sent: number): Result => ({ outcome: "ok", sent });
  const only = (outcome: Result["outcome"]): [Result, Result] => [
    { outcome, sent: 1 },
    { outcome, sent: 1 },
  ];
  const again = (outcome: Result["outcome"]): [Result, Result] => [{ outcome, sent: 3 }, ok(2)];
  switch (consequence.kind) {
    case "harmless":
      return only("ok");
    case "lost": {
      const outcome = consequence.error === "ConnectionError" ? "C" : "T";
      return operation.repeatable ? again(outcome) : only(outcome);
    }
    case "refused":
      return [{ outcome: "A", sent: 2 }, ok(2)]; // two or more
    case "failed":
      return operation.repeatable ? again("A") : only("A");
    case "final":
      return only("A");
    case "unexpected":
      return only(consequence.harmlessTo === name ? "ok" : "U");
  }
}

const describeResult = ({ outcome, sent }: Result): string => `${outcome}×${sent}`;

/** One row of the table: each class of operation with the fault in every response, and in one response. */
async function tableRow(
  run: (operation: OperationClass, once: boolean) => Promise<Result>,
): Promise<Record<string, string>> {
  const cells = classes.map(async ([name, operation]) => {
    const [good, once] = await Promise.all([run(operation, false), run(operation, true)]);
    return [name, `${describeResult(good)} / ${describeResult(once)}`];
  });
  return Object.fromEntries(await Promise.all(cells)) as Record<string, string>;
}

function dueRow(consequence: Consequence): Record<string, string> {
  const cells = classes.map(([name, operation]) => [
    name,
    due(consequence, name, operation).map(describeResult).join(" / "),
  ]);
  return Object.fromEntries(cells) as Record<string, string>;
}

describe.each<[string, (() => Transport) | undefined]>([
  ["fetch", undefined],
  ["undici", nodeTransport],
])("over %s, every class of operation", (_, open) => {
  it.each(Object.entries(faultRows))("has the documented outcome under the fault: %s", async (_name, row) => {
    const found = await tableRow((operation, once) => runWithFault(row, operation, once, open?.()));
    expect(found).toEqual(dueRow(row.consequence));
  });
});
