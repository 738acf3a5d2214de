import { describe, expect, it } from "vitest";
import type { Observation } from "../../src/probe/experiment.ts";
import { judge } from "../../src/probe/verdict.ts";

const GAP = "stores.unknown-cursor"; // next-greater, reject, empty

function seen(fits: string[], source: string, conclusive = false): Observation {
  return { fits, source, conclusive, because: `seen by ${source}`, evidence: [1] };
}

describe("a verdict", () => {
  it("is unknown without observations", () => {
    expect(judge(GAP, [])).toEqual({ verdict: "unknown", because: "", evidence: [] });
  });

  it("is unknown if the observations exclude nothing", () => {
    expect(judge(GAP, [seen(["next-greater", "reject", "empty"], "a")]).verdict).toBe("unknown");
  });

  it("is unknown with candidates if several readings are left", () => {
    const { verdict, candidates } = judge(GAP, [seen(["reject", "empty"], "a", true)]);
    expect([verdict, candidates]).toEqual(["unknown", ["reject", "empty"]]);
  });

  it("is likely after one observation", () => {
    expect(judge(GAP, [seen(["reject"], "a")])).toMatchObject({ verdict: "likely", reading: "reject" });
  });

  it("is decided after one conclusive observation", () => {
    expect(judge(GAP, [seen(["reject"], "a", true)])).toMatchObject({
      verdict: "decided",
      reading: "reject",
    });
  });

  it("is decided after two independent observations", () => {
    expect(judge(GAP, [seen(["reject"], "a"), seen(["reject"], "b")]).verdict).toBe("decided");
  });

  it("is likely after two observations of one source", () => {
    expect(judge(GAP, [seen(["reject"], "a"), seen(["reject"], "a")]).verdict).toBe("likely");
  });

  it("is decided only if every other reading is certainly excluded", () => {
    const observations = [seen(["reject", "empty"], "a", true), seen(["reject", "next-greater"], "b")];
    expect(judge(GAP, observations).verdict).toBe("likely");
  });

  it("is fragile if observations contradict each other", () => {
    expect(judge(GAP, [seen(["reject"], "a", true), seen(["empty"], "b", true)]).verdict).toBe("fragile");
  });

  it("is other if no reading fits", () => {
    expect(judge(GAP, [seen([], "a")]).verdict).toBe("other");
  });

  it("is fragile if a reading fits one observation and none fits another", () => {
    expect(judge(GAP, [seen(["reject"], "a"), seen([], "b")]).verdict).toBe("fragile");
  });
});
