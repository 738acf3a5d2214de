import { describe, expect, it } from "vitest";
import { type CallFacts, type CallHistory, type Failure, judge } from "../../../src/client/outcome.ts";

const facts: CallFacts = {
  isWrite: false,
  mayRepeat: true,
  retries: 2,
  maxDelay: 30_000,
  totalTimeout: Infinity,
};
const first: CallHistory = {
  failures: 0,
  throttled: 0,
  mayHaveBeenProcessed: false,
  remaining: Infinity,
  refusedFor: 0,
  isDrained: false,
  random: 1,
};

const status = (code: number, retryAfter?: number, isPermanent = false): Failure => ({
  kind: "status",
  status: code,
  retryAfter,
  isPermanent,
  isForeign: false,
});
const foreign = (code: number): Failure => ({
  kind: "status",
  status: code,
  isPermanent: false,
  isForeign: true,
});
const lost: Failure = { kind: "lost", isUnsent: false, isPermanent: false };
const unsent: Failure = { kind: "lost", isUnsent: true, isPermanent: false };
const defect = (code: number): Failure => ({ kind: "defect", status: code, isPermanent: false });

const kinds = {
  read: facts,
  put: { ...facts, isWrite: true },
  post: { ...facts, isWrite: true, mayRepeat: false },
};

describe("a failed attempt", () => {
  /** `again`: another attempt follows; `end`: the call ends; `R`: retryable; `P`: may have been processed. */
  const table: [name: string, failure: Failure, read: string, put: string, post: string][] = [
    ["400", status(400), "end", "end", "end"],
    ["401", status(401), "end", "end", "end"],
    ["404", status(404), "end", "end", "end"],
    ["408", status(408), "again R", "again RP", "end P"],
    ["409", status(409), "end", "end", "end"],
    ["429", status(429), "again R", "again R", "again R"],
    ["500", status(500), "again R", "again RP", "end P"],
    ["501", status(501), "end", "end", "end"],
    ["503", status(503), "again R", "again RP", "end P"],
    ["505", status(505), "end", "end P", "end P"],
    ["a permanent 503", status(503, undefined, true), "end", "end P", "end P"],
    ["a lost response", lost, "again R", "again RP", "end P"],
    ["an unsent request", unsent, "again R", "again R", "again R"],
    ["a foreign 403", foreign(403), "again R", "again R", "end"],
    ["a foreign 404", foreign(404), "again R", "again R", "end"],
    ["a 200 of another form", defect(200), "again R", "again RP", "end P"],
    ["a 302", defect(302), "again R", "again R", "end P"],
    ["a 303", defect(303), "again R", "again RP", "end P"],
    ["a 307", defect(307), "again R", "again R", "end"],
    ["a 304", defect(304), "again R", "again R", "end"],
    ["a body that is too large", { kind: "defect", status: 200, isPermanent: true }, "end", "end P", "end P"],
    ["an unsent request, for ever", { kind: "lost", isUnsent: true, isPermanent: true }, "end", "end", "end"],
  ];
  it.each(table)("with %s: another one or the end, and what is known then", (_, failure, ...expected) => {
    const found = Object.values(kinds).map((kind) => {
      const { delay, retryable, mayHaveBeenProcessed, hint } = judge(failure, kind, first);
      expect(hint).toBeUndefined();
      const flags = `${retryable ? "R" : ""}${mayHaveBeenProcessed ? "P" : ""}`;
      return `${delay === undefined ? "end" : "again"} ${flags}`.trim();
    });
    expect(found).toEqual(expected);
  });

  it("leaves a write uncertain that was uncertain before", () => {
    const before = { ...first, mayHaveBeenProcessed: true };
    for (const failure of [status(404), status(429), unsent])
      expect(judge(failure, kinds.put, before).mayHaveBeenProcessed).toBe(true);
  });
});

describe("the wait before the next attempt", () => {
  it.each<[string, Failure, Partial<CallFacts>, Partial<CallHistory>, number | undefined]>([
    ["is 300 ms first", lost, {}, {}, 300],
    ["is half as long at least", lost, {}, { random: 0 }, 150],
    ["doubles", lost, {}, { failures: 1 }, 600],
    ["is maxDelay at most", lost, { maxDelay: 500 }, { failures: 1 }, 500],
    ["is that of Retry-After", status(503, 2000), {}, { failures: 1 }, 2000],
    ["may be 0", status(429, 0), {}, {}, 0],
    ["doubles for each 429", status(429), {}, { throttled: 3, failures: 1 }, 2400],
    ["is not doubled by a 429", lost, {}, { throttled: 3 }, 300],
    ["does not follow the last retry", lost, {}, { failures: 2 }, undefined],
    ["follows each 429", status(429), {}, { throttled: 9, failures: 2 }, 30_000],
    ["does not follow a 429 without retries", status(429), { retries: 0 }, {}, undefined],
  ])("%s", (_, failure, changedFacts, changedHistory, expected) => {
    const { delay } = judge(failure, { ...facts, ...changedFacts }, { ...first, ...changedHistory });
    expect(delay).toBe(expected);
  });
});

describe("a retry that is not waited for", () => {
  it.each<[string, Failure, Partial<CallFacts>, Partial<CallHistory>]>([
    ["the client is drained", lost, {}, { isDrained: true }],
    [
      "Retry-After is 31 s, longer than retry.maxDelay (30000 ms)",
      status(429, 30_001),
      {},
      { isDrained: false },
    ],
    [
      "the next attempt would be after totalTimeout (1000 ms)",
      lost,
      { totalTimeout: 1000 },
      { remaining: 300 },
    ],
    [
      "the service accepted no request for 5 minutes; set totalTimeout to wait longer",
      status(429, 1000),
      {},
      { refusedFor: 299_000 },
    ],
  ])("has the hint: %s", (hint, failure, changedFacts, changedHistory) => {
    const verdict = judge(failure, { ...facts, ...changedFacts }, { ...first, ...changedHistory });
    expect(verdict).toMatchObject({ delay: undefined, retryable: true, hint });
  });

  it.each<[string, Failure, Partial<CallFacts>, Partial<CallHistory>]>([
    ["before the end of totalTimeout", lost, { totalTimeout: 1000 }, { remaining: 301 }],
    ["before the end of 5 minutes of 429", status(429, 1000), {}, { refusedFor: 298_999 }],
    ["after any time with totalTimeout", status(429, 1000), { totalTimeout: 1e9 }, { refusedFor: 1e6 }],
    ["after any time of other failures", lost, {}, { refusedFor: 1e6 }],
  ])("is waited for %s", (_, failure, changedFacts, changedHistory) => {
    const verdict = judge(failure, { ...facts, ...changedFacts }, { ...first, ...changedHistory });
    expect(verdict.delay).toBeGreaterThan(0);
  });
});
