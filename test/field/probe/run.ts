import type { ProbeOptions } from "../../../src/field/probe/options.ts";
import { probe } from "../../../src/field/probe/probe.ts";
import type { ProbeReport } from "../../../src/field/probe/report.ts";
import type { Readings, Subject } from "./subjects.ts";

/** The consent of a run. */
export type ConsentName = "read" | "keys" | "write";

/** A pause that does not wait. */
export const instant = {
  now: () => 0,
  sleep: () => Promise.resolve(),
  retry: { delay: () => 0, maxRetryAfter: 0 },
};

/** A ledger that is discarded. */
export const nowhere = { append: () => undefined };

export function fetchOf({ options }: Subject): NonNullable<ProbeOptions["fetch"]> {
  return options.fetch ?? globalThis.fetch;
}

/** The fetch of a subject, which calls a function before each request. */
export function watched(
  subject: Subject,
  watch: (input: Request) => void,
): (input: Request) => Promise<Response> {
  return (input) => {
    watch(input);
    return fetchOf(subject)(input);
  };
}

/** Options for a subject under a consent. */
export function optionsFor(
  { options }: Subject,
  consent: ConsentName,
  scratchStore = "PROBE-SCRATCH",
): ProbeOptions {
  const { narrowKeys = [], sandboxUrl = "", sandboxKey = "", ...reads } = options;
  const base = { ...reads, rate: 1e9, timing: instant };
  if (consent === "read") return base;
  if (consent === "keys") return { ...base, narrowKeys };
  const writes = { write: true, ledger: nowhere, scratchStore, createScratchStore: true };
  return { ...base, narrowKeys, sandboxUrl, sandboxKey, ...writes };
}

/** Readings that are decided or likely, but wrong. */
export function wrongIn({ findings }: ProbeReport, truth: Readings): string[] {
  return findings.flatMap(({ gap, verdict, reading, reason }) => {
    const actual = truth[gap];
    if (reading === undefined || actual === undefined || actual === reading) return [];
    return [`${gap} is ${verdict} ${reading}, but it is ${actual}: ${reason}`];
  });
}

/** Gaps whose reading is decided or likely, and correct. */
export function foundIn({ findings }: ProbeReport, truth: Readings): Set<string> {
  const found = findings.filter(({ gap, reading }) => reading !== undefined && truth[gap] === reading);
  return new Set(found.map(({ gap }) => gap));
}

export { probe };
