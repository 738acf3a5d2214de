import { describe, expect, it } from "vitest";
import type { Observation } from "../../../src/field/probe/experiment.ts";
import { evaluate } from "../../../src/field/probe/verdict.ts";

const GAP = "stores.unknown-cursor"; // next-greater, reject, empty

function seen(fits: string[], source: string, conclusive = false): Observation {
  return { fits, source, conclusive, reason: `seen by ${source}`, evidence: [1] };
}

describe("a verdict", () => {
  it("is unknown without observations", () => {
    expect(evaluate(GAP, [])).toEqual({ verdict: "unknown", reason: "", evidence: [] });
  });

  it("is unknown if the observations exclude nothing", () => {
    expect(evaluate(GAP, [seen(["next-greater", "reject", "empty"], "a")]).verdict).toBe("unknown");
  });

  it("is unknown with candidates if several readings are left", () => {
    const { verdict, candidates } = evaluate(GAP, [seen(["reject", "empty"], "a", true)]);
    expect([verdict, candidates]).toEqual(["unknown", ["reject", "empty"]]);
  });

  it("is likely after one observation", () => {
    expect(evaluate(GAP, [seen(["reject"], "a")])).toMatchObject({ verdict: "likely", reading: "reject" });
  });

  it("is decided after one conclusive observation", () => {
    expect(evaluate(GAP, [seen(["reject"], "a", true)])).toMatchObject({
      verdict: "decided",
      reading: "reject",
    });
  });

  it("is decided after two independent observations", () => {
    expect(evaluate(GAP, [seen(["reject"], "a"), seen(["reject"], "b")]).verdict).toBe("decided");
  });

  it("is likely after two observations of one source", () => {
    expect(evaluate(GAP, [seen(["reject"], "a"), seen(["reject"], "a")]).verdict).toBe("likely");
  });

  it("is decided only if every other reading is certainly excluded", () => {
    const observations = [seen(["reject", "empty"], "a", true), seen(["reject", "next-greater"], "b")];
    expect(evaluate(GAP, observations).verdict).toBe("likely");
  });

  it("is fragile if observations contradict each other", () => {
    expect(evaluate(GAP, [seen(["reject"], "a", true), seen(["empty"], "b", true)]).verdict).toBe("fragile");
  });

  it("is other if no reading fits", () => {
    expect(evaluate(GAP, [seen([], "a")]).verdict).toBe("other");
  });

  it("is fragile if a reading fits one observation and none fits another", () => {
    expect(evaluate(GAP, [seen(["reject"], "a"), seen([], "b")]).verdict).toBe("fragile");
  });
});
