import { describe, expect, it } from "vitest";
import { type Observation, evaluate } from "../../../src/field/probe/verdict.ts";

const GAP = "stores.unknown-cursor"; // next-greater, reject, empty

function seen(fits: string[], n: number, subject = "a store", failures = 0): Observation {
  return { fits, subject, decisive: [{ n, failures }], reason: `seen by request ${n}`, evidence: [n] };
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
    [
      "decided after two an odd number of requests apart",
      "decided",
      [seen(["reject"], 1), seen(["reject"], 4)],
    ],
    [
      "likely after two that the same of two servers answers",
      "likely",
      [seen(["reject"], 1), seen(["reject"], 3)],
    ],
    [
      "likely after two with a failed request between them",
      "likely",
      [seen(["reject"], 1), seen(["reject"], 4, "a store", 1)],
    ],
    ["likely after two of one request", "likely", [seen(["reject"], 1), seen(["reject"], 1)]],
    [
      "decided only if two observations exclude every other reading",
      "likely",
      [seen(["reject", "empty"], 1), seen(["reject", "next-greater"], 2)],
    ],
    ["fragile if observations contradict each other", "fragile", [seen(["reject"], 1), seen(["empty"], 2)]],
    ["unknown after one that no reading fits", "unknown", [seen([], 1)]],
    ["other after two that no reading fits", "other", [seen([], 1), seen([], 2)]],
    ["fragile if no reading fits one of two", "fragile", [seen(["reject"], 1), seen([], 2)]],
  ])("is %s", (_, verdict, observations) => {
    expect(verdictOf(...observations)).toBe(verdict);
  });

  it("of a reading about all entities is decided only by two of them", () => {
    const first = seen(["reject"], 1, "A");
    expect(evaluate(GAP, [first, seen(["reject"], 2, "A")], true).verdict).toBe("likely");
    expect(evaluate(GAP, [first, seen(["reject"], 2, "B")], true).verdict).toBe("decided");
  });
});
