import { describe, expect, it } from "vitest";
import { gaps } from "../../../generated/gaps.ts";
import { experiments } from "../../../src/field/probe/experiments/catalog.ts";
import { unobservable } from "../../../src/field/probe/experiments/unobservable.ts";
import { openGaps } from "../../../src/field/probe/gap.ts";

describe("specs/gaps.yaml", () => {
  it("names the class of each experiment", () => {
    const written = openGaps.flatMap((gap) => {
      const { probe } = gaps[gap];
      return "consent" in probe ? [[gap, probe.consent]] : [];
    });
    const byGap = new Map<string, string>(experiments.map(({ gap, consent }) => [gap, consent]));
    expect(written).toEqual(openGaps.filter((gap) => byGap.has(gap)).map((gap) => [gap, byGap.get(gap)]));
  });
});

describe("the experiments", () => {
  it("exist once for each gap, unless no request can observe it", () => {
    const observed = experiments.map(({ gap }) => gap);
    expect(new Set(observed).size).toBe(observed.length);
    expect(openGaps.filter((gap) => !observed.includes(gap))).toEqual(Object.keys(unobservable));
  });

  it("depend only on gaps that have an experiment", () => {
    const observed = new Set(experiments.map(({ gap }) => gap));
    expect(experiments.flatMap(({ after }) => after).filter((gap) => !observed.has(gap))).toEqual([]);
  });
});
