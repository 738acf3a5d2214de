import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readingsOf, isOpen } from "../../../src/field/probe/gap.ts";
import type { Finding } from "../../../src/field/probe/report.ts";
import { onlyInMock } from "../../models/readings.ts";
import { type Noise, noisy } from "./noise.ts";
import { type ConsentName, optionsFor, probe } from "./run.ts";
import {
  type RareData,
  type Readings,
  type Subject,
  modelSubject,
  referenceSubject,
  seeded,
} from "./subjects.ts";

/** The `probe` of a gap in specs/gaps.yaml that has an experiment. */
interface Entry {
  readonly gap: string;
  readonly consent: "passive" | "read" | "read-odd" | "keys" | "write";
  /** Readings under which the experiment cannot observe anything. */
  readonly silent?: readonly string[];
  /** Gaps whose experiments send the requests that a passive experiment needs. */
  readonly beside?: readonly string[];
  /** Readings of other gaps under which the experiment can observe something. */
  readonly given?: Readings;
}

const text = readFileSync(new URL("../../../specs/gaps.yaml", import.meta.url), "utf8");
const entries = (parse(text) as { id: string; probe?: Partial<Entry> }[])
  .map((gap) => ({ gap: gap.id, ...gap.probe }))
  .filter((entry): entry is Entry => entry.consent !== undefined);

const CASES = entries.flatMap(({ gap, consent, silent = [], beside = [], given = {} }) =>
  (isOpen(gap) ? readingsOf(gap) : []).map((reading) => ({
    gap,
    consent,
    reading,
    only: [gap, ...beside],
    fixed: { ...given, [gap]: reading },
    isSilent: silent.includes(reading),
  })),
);

/** Other readings and data for each seed. One seed that shows a reading is enough. */
const MOST_SEEDS = 24;

/** The seeds of a reading that the experiment cannot observe: each server plays two. */
const SILENT_SEEDS = 6;

const RARE: RareData = {
  unnamed: 5,
  scopes: ["users:read", "boats:read"],
  isUpperCase: true,
  externalIds: ["A b/1", "Ä 2"],
  rate: 8,
};

type Make = (seed: number, stores: number, fixed: Readings) => Subject;

/** The servers, one after the other. */
const SERVERS: readonly Make[] = [
  modelSubject,
  (seed, stores, fixed) => modelSubject(seed, stores, fixed, RARE),
  referenceSubject,
];

const NOISE: Noise = {
  unavailable: 0.04,
  reset: 0.04,
  html: 0.03,
  extraProperties: true,
  propertyOrder: true,
};

/** The options of a run. */
interface Question {
  readonly gap: string;
  readonly consent: Entry["consent"];
  readonly only: readonly string[];
}

function consentFor(consent: Entry["consent"]): ConsentName {
  if (consent === "write" || consent === "passive") return "write";
  return consent === "keys" ? "keys" : "read";
}

/** The verdict of a run on one gap. */
async function findingOf(
  subject: Subject,
  { gap, consent, only }: Question,
  noise: Noise,
  seed: number,
): Promise<Finding | undefined> {
  const options = optionsFor(subject, consentFor(consent));
  const fetch = noisy(options.fetch ?? globalThis.fetch, noise, seed);
  try {
    const { findings } = await probe({ ...options, fetch, only, maxRequests: 300 });
    return findings.find((finding) => finding.gap === gap);
  } catch (error) {
    // noise may keep a service from responding at all
    if ((error as Error).name === "ProbeServiceError") return undefined;
    throw error;
  }
}

describe.each(CASES)("the experiment of $gap under $reading", ({ reading, fixed, isSilent, ...question }) => {
  const { gap } = question;
  const make = gap in onlyInMock ? referenceSubject : modelSubject;
  const play = (seed: number, stores: number): Subject => make(seed, stores, fixed);
  const allowed = [undefined, reading];

  it("finds the reading if the data show it, and never another reading", async () => {
    const found: (string | undefined)[] = [];
    const seeds = isSilent ? SILENT_SEEDS : MOST_SEEDS;
    for (let index = 0; index < seeds && !found.includes(reading); index += 1) {
      const seed = 1000 + index * 7919;
      const server = gap in onlyInMock ? referenceSubject : SERVERS[index % SERVERS.length];
      const subject = (server ?? modelSubject)(seed, 12, fixed);
      // the reference server does not play every reading
      if (subject.truth[gap] !== reading) continue;
      const finding = await findingOf(subject, question, {}, seed);
      found.push(finding?.reading);
    }
    expect(found.filter((one) => !allowed.includes(one))).toEqual([]);
    expect(found.includes(reading)).toBe(!isSilent);
  });

  it("finds no other reading without data", async () => {
    const finding = await findingOf(play(1, 0), question, {}, 1);
    expect(allowed).toContain(finding?.reading);
  });

  it("finds no other reading under noise and another writer", async () => {
    const subject = play(1, 12);
    const random = seeded(1);
    const noise = { ...NOISE, write: () => subject.otherWrite(random) };
    const finding = await findingOf(subject, question, noise, 1);
    expect(allowed, finding?.reason).toContain(finding?.reading);
  });
});
