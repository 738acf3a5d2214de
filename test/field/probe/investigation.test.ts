import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/field/probe/exchange.ts";
import { Investigation } from "../../../src/field/probe/investigation.ts";
import { damageStatuses } from "../../../src/field/probe/experiments/fleet/details.ts";

let requests = 0;

/** A response to a read of a damage, or to another request. */
function response(status: string, changed: Partial<Exchange> = {}): Exchange {
  requests += 1;
  const json = { data: { id: "D-1", status } };
  return {
    n: requests,
    failures: 0,
    connection: requests,
    api: "fleet",
    as: "fleet",
    method: "GET",
    path: "/damages/D-1",
    query: {},
    operation: "getDamage",
    params: { id: "D-1" },
    version: "1",
    status: 200,
    text: JSON.stringify(json),
    size: 10,
    json,
    isEvidence: true,
    ...changed,
  };
}

function investigationOf(...exchanges: readonly Exchange[]): Investigation {
  const investigation = new Investigation(damageStatuses);
  for (const exchange of exchanges) investigation.examine(exchange);
  return investigation;
}

const OPEN = "SCRAPPED";
const KNOWN = "TO_REPAIR_NOT_OK";

describe("two responses to one read", () => {
  it.each([
    [OPEN, KNOWN],
    [KNOWN, OPEN],
  ])("of which one shows nothing contradict each other: %s, %s", (first, second) => {
    expect(investigationOf(response(first), response(second)).evaluation).toMatchObject({
      verdict: "fragile",
      evidence: [requests - 1, requests],
    });
  });

  it.each<[string, Exchange]>([
    ["of another entity", response(KNOWN, { path: "/damages/D-2", params: { id: "D-2" } })],
    ["to another key", response(KNOWN, { as: "narrow-1" })],
    ["after the entity is gone", response(KNOWN, { status: 404, json: { errors: [] } })],
  ])("do not if the other one is %s", (_, other) => {
    expect(investigationOf(response(OPEN), other).evaluation.verdict).toBe("likely");
  });

  it("do not if a write of the run is between them", () => {
    const write = response(KNOWN, { method: "PATCH", operation: undefined });
    expect(investigationOf(response(OPEN), write, response(KNOWN)).evaluation.verdict).toBe("likely");
  });

  it("do not if one of them turned out to prove nothing", () => {
    const investigation = investigationOf(response(OPEN), response(KNOWN));
    investigation.retract(new Set([requests]));
    expect(investigation.evaluation.verdict).toBe("likely");
  });
});

describe("a round", () => {
  it("that has enough observations from the start is followed by another one, until one finds nothing new", async () => {
    const paths = ["/damages/D-1", "/damages/D-2", "/damages/D-3"];
    const investigation = investigationOf(...paths.map((path) => response(OPEN, { path })));
    expect(investigation.evaluation).toMatchObject({ verdict: "likely", confirmations: 3 });
    for (const canConfirm of [true, true, false]) {
      await investigation.beginRound();
      expect(investigation.canConfirm).toBe(canConfirm);
    }
  });
});
