import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { experiments } from "../../../src/field/probe/experiments/catalog.ts";
import { unobservable } from "../../../src/field/probe/experiments/unobservable.ts";
import { openGaps } from "../../../src/field/probe/gap.ts";

interface Entry {
  gap: string;
  consent?: string;
  how?: string;
  unobservable?: string;
}

const text = readFileSync(new URL("../../../specs/probes.yaml", import.meta.url), "utf8");
const entries = parse(text) as Entry[];

describe("specs/probes.yaml", () => {
  it("has an entry for every gap with readings, in the order of the register", () => {
    expect(entries.map(({ gap }) => gap)).toEqual(openGaps);
  });

  it("names the class of each experiment, or the reason that there is no experiment", () => {
    const written = entries.map(({ gap, consent, unobservable: reason }) => [gap, consent ?? reason]);
    const byGap = new Map<string, string>(experiments.map(({ gap, consent }) => [gap, consent]));
    expect(written).toEqual(openGaps.map((gap) => [gap, byGap.get(gap) ?? unobservable[gap]]));
  });

  it("describes each experiment", () => {
    expect(
      entries.filter(({ how = "", unobservable: reason = "" }) => how.length + reason.length < 20),
    ).toEqual([]);
  });
});

describe("the experiments", () => {
  it("exist once for each gap, unless no request can observe it", () => {
    const gaps = experiments.map(({ gap }) => gap);
    expect(new Set(gaps).size).toBe(gaps.length);
    expect(openGaps.filter((gap) => !gaps.includes(gap))).toEqual(Object.keys(unobservable));
  });

  it("depend only on gaps that have an experiment", () => {
    const gaps = new Set(experiments.map(({ gap }) => gap));
    expect(experiments.flatMap(({ after }) => after).filter((gap) => !gaps.has(gap))).toEqual([]);
  });
});
