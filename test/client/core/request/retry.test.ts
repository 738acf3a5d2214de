import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ConnectionError, TimeoutError } from "../../../../src/client/core/errors/errors.ts";
import type { RetryClass } from "../../../../src/client/core/request/operation.ts";
import { retryDelay } from "../../../../src/client/core/request/retry.ts";
import { parseRetryAfter } from "../../../../src/wire/retry-after.ts";
import type { Outcome, RejectionReading } from "../../../../src/client/core/request/run.ts";

const reading: RejectionReading = "only-429";
const now = Date.parse("2026-01-01T00:00:00Z");

function delayOf(outcome: Outcome, retryClass: RetryClass = "idempotent", attempts = 1, rejection = reading) {
  return retryDelay(outcome, attempts, {
    retryClass,
    rejection,
    maxDelay: 30_000,
    isPermanent: () => false,
    now,
    random: 1,
  });
}

function outcomeOf(status: number, retryAfter?: string): Outcome {
  const headers = retryAfter === undefined ? undefined : { "retry-after": retryAfter };
  return {
    status,
    head: { status, headers: new Headers(headers) },
    bytes: new Uint8Array(),
    complete: true,
  };
}

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5000],
    ["Thursday, 01-Jan-26 00:00:05 GMT", 5000],
    ["Thu Jan  1 00:00:05 2026", 5000],
    ["Thu, 01 Jan 2026 01:00:05 +0100", 5000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
    ["01 Jan 2026 00:00:05 GMT", undefined],
    ["1.5", undefined],
    ["-1", undefined],
    ["soon", undefined],
    ["after 5", undefined],
    ["5 s", undefined],
    ["5, 10", undefined],
    ["2026-01-01T00:00:05Z", undefined],
    ["Thu, 32 Jan 2026 00:00:05 GMT", undefined],
    ["Thu, 01 Jan 2026 25:00:05 GMT", undefined],
    ["Thu, 01 Jan 2026 00:00:05", undefined],
    ["Thu, 99 Jan 2026", undefined],
    ["2026", 2_026_000],
    ["", undefined],
    [null, undefined],
  ])("%j is %j ms", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it("without a zone is not read in the zone of the machine", () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(parseRetryAfter("Thu Jan  1 00:00:05 2026", now)).toBe(5000);
  });
});

describe("the wait before a retry", () => {
  it.each([408, 429, 500, 502, 503, 504])("follows status %i", (status) => {
    expect(delayOf(outcomeOf(status))).toBe(300);
  });

  it.each([400, 401, 403, 404, 409, 418, 501, 505])("does not follow status %i", (status) => {
    expect(delayOf(outcomeOf(status))).toBeUndefined();
  });

  it("doubles up to the longest wait and has jitter", () => {
    expect([1, 2, 3, 20].map((attempts) => delayOf(outcomeOf(500), "idempotent", attempts))).toEqual([
      300, 600, 1200, 30_000,
    ]);
    const policy = {
      retryClass: "idempotent" as const,
      rejection: reading,
      maxDelay: 1000,
      isPermanent: () => false,
      now,
    };
    expect(retryDelay(outcomeOf(500), 9, { ...policy, random: 0 })).toBe(500);
  });

  it("is the server's Retry-After, however long", () => {
    expect(delayOf(outcomeOf(500, "30"))).toBe(30_000);
    expect(delayOf(outcomeOf(500, "31"))).toBe(31_000);
    expect(delayOf(outcomeOf(429, "soon"))).toBe(300);
  });

  it("follows no response that is permanent", () => {
    const policy = { rejection: reading, maxDelay: 1000, isPermanent: () => true, now, random: 0 };
    expect(retryDelay(outcomeOf(503, "1"), 1, { ...policy, retryClass: "idempotent" })).toBeUndefined();
  });
});

describe("a request that must not be sent twice", () => {
  it.each([
    ["only-429", [429]],
    ["with-retry-after", [429, 503]],
    ["neither", []],
  ] as const)("is retried under the reading %s after Retry-After with %j", (rejection, statuses) => {
    const waits = [408, 429, 500, 502, 503, 504].flatMap((status) => {
      const delay = delayOf(outcomeOf(status, "1"), "only-if-rejected", 1, rejection);
      return delay === undefined ? [] : [[status, delay]];
    });
    expect(waits).toEqual(statuses.map((status) => [status, 1000]));
    for (const outcome of [
      outcomeOf(503),
      outcomeOf(503, "soon"),
      new ConnectionError("x"),
      new TimeoutError("x", "attempt", 1),
    ])
      expect(delayOf(outcome, "only-if-rejected", 1, rejection)).toBeUndefined();
  });

  it("differs from a safe retry: lost connections and timeouts", () => {
    expect(delayOf(new ConnectionError("x"))).toBe(300);
    expect(delayOf(new TimeoutError("x", "attempt", 1))).toBe(300);
    expect(delayOf(new TimeoutError("x", "total", 1))).toBeUndefined();
  });
});
