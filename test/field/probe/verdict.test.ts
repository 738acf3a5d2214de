import { describe, expect, it } from "vitest";
import { CONFIRMATIONS, type Observation, evaluate } from "../../../src/field/probe/verdict.ts";

const GAP = "stores.unknown-cursor"; // next-greater, reject, empty

function seen(fits: string[], n: number, subject = "a store", failures = 0): Observation {
  const decisive = [{ n, failures, connection: n }];
  return { fits, subject, decisive, reason: `seen by request ${n}`, evidence: [n] };
}

function seenOften(count: number, subject?: string): Observation[] {
  return Array.from({ length: count }, (_, at) => seen(["reject"], at + 1, subject));
}

/** Observations over the first connection of a run. */
function seenAtOnce(count: number): Observation[] {
  return seenOften(count).map((one) => ({
    ...one,
    decisive: one.decisive.map((turn) => ({ ...turn, connection: 0 })),
  }));
}

function verdictOf(...observations: Observation[]): string {
  return evaluate(GAP, observations, false).verdict;
}

describe("a verdict", () => {
  it("is unknown without observations", () => {
    expect(evaluate(GAP, [], false)).toEqual({ verdict: "unknown", reason: "", evidence: [] });
  });

  it("is unknown with candidates if several readings are left", () => {
    const { verdict, candidates } = evaluate(GAP, [seen(["reject", "empty"], 1)], false);
    expect([verdict, candidates]).toEqual(["unknown", ["reject", "empty"]]);
  });

  it.each<[name: string, verdict: string, observations: Observation[]]>([
    [
      "unknown if the observations exclude nothing",
      "unknown",
      [seen(["next-greater", "reject", "empty"], 1)],
    ],
    ["likely after one observation", "likely", [seen(["reject"], 1)]],
    ["decided after enough over as many connections", "decided", seenOften(CONFIRMATIONS)],
    ["likely after fewer", "likely", seenOften(CONFIRMATIONS - 1)],
    ["likely after any number over one connection", "likely", seenAtOnce(2 * CONFIRMATIONS)],
    [
      "likely after any number that the same of two servers answers",
      "likely",
      seenOften(2 * CONFIRMATIONS + 1).filter((_, at) => at % 2 === 0),
    ],
    [
      "likely after two that may be from the same of two servers, since a request failed between them",
      "likely",
      [seen(["reject"], 1), seen(["reject"], 4, "a store", 1)],
    ],
    ["likely after many of one request", "likely", seenOften(CONFIRMATIONS).map(() => seen(["reject"], 1))],
    [
      "decided only if enough observations exclude every other reading",
      "likely",
      [
        ...seenOften(CONFIRMATIONS).map((one) => ({ ...one, fits: ["reject", "empty"] })),
        seen(["reject", "next-greater"], 41),
      ],
    ],
    ["fragile if observations contradict each other", "fragile", [seen(["reject"], 1), seen(["empty"], 2)]],
    ["unknown after one that no reading fits", "unknown", [seen([], 1)]],
    ["other after two that no reading fits", "other", [seen([], 1), seen([], 2)]],
    ["fragile if no reading fits one of two", "fragile", [seen(["reject"], 1), seen([], 2)]],
  ])("is %s", (_, verdict, observations) => {
    expect(verdictOf(...observations)).toBe(verdict);
  });

  it("of a reading about all entities is decided only by two of them", () => {
    const ofOne = seenOften(CONFIRMATIONS, "A");
    expect(evaluate(GAP, ofOne, true).verdict).toBe("likely");
    expect(evaluate(GAP, [...ofOne, seen(["reject"], 40, "B")], true).verdict).toBe("decided");
  });
});
