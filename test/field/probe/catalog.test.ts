import { describe, expect, it } from "vitest";
import { experiments } from "../../../src/field/probe/experiments/catalog.ts";
import { lackingFor, openGaps } from "../../../src/field/probe/gap.ts";

describe("the experiments", () => {
  const observed = new Set<string>(experiments.map(({ gap }) => gap));

  it("have the gaps of their places in the catalog", () => {
    expect([...observed].toSorted()).toEqual(
      openGaps.filter((gap) => lackingFor(gap) === undefined).toSorted(),
    );
  });

  it("depend only on gaps that have an experiment", () => {
    expect(experiments.flatMap(({ after }) => after).filter((gap) => !observed.has(gap))).toEqual([]);
  });
});
