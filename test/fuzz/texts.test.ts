import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { parseResume } from "../../src/core/resume.ts";
import { parseRetryAfter } from "../../src/core/request/retry.ts";
import { environmentOf } from "../../src/fleet/keys.ts";
import { readState } from "../../src/store/protocol-state.ts";
import { feed, isBounded } from "./measure.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const waits = [
  "0",
  "120",
  "Thu, 01 Jan 2026 00:00:05 GMT",
  "Thursday, 01-Jan-26 00:00:05 GMT",
  "Thu Jan  1 00:00:05 2026",
  "9".repeat(500),
  " ".repeat(2000),
];

test("Retry-After", async ({ task }) => {
  task.meta.measured = await feed(300_000, (mutator) => {
    const value = mutator.below(10) === 0 ? mutator.noise(60) : mutator.text(mutator.pick(waits));
    const wait = parseRetryAfter(value, now);
    assert.ok(wait === undefined || wait >= 0, `${JSON.stringify(value)} is ${wait}`);
  });
  expect(isBounded(task.meta.measured)).toBe(true);
});

const digits = "0123456789abcdefABCDEF0123456789".repeat(2);
const keys = [
  `acme_${digits}`,
  `acme_test_${digits}`,
  `a_b-c.d_test_${digits}`,
  `test_${digits}`,
  "a_".repeat(3000),
];

test("keys", async ({ task }) => {
  task.meta.measured = await feed(200_000, (mutator) => {
    const key = mutator.below(10) === 0 ? mutator.noise(90) : mutator.text(mutator.pick(keys));
    try {
      const environment = environmentOf(key, mutator.pick([undefined, "acme", "a_b-c.d", "$^("]));
      assert.equal(environment === "sandbox", /_test_[\da-f]{64}$/i.test(key));
    } catch (error) {
      // a key is never quoted, not even half of it
      if (key.length > 20) assert.ok(!(error as Error).message.includes(key.slice(-20)));
      throw error;
    }
  });
  expect(isBounded(task.meta.measured)).toBe(true);
});

const tokens = [
  { cursor: "S-1" },
  { page: 2, limit: 50 },
  { at: "second", cursor: "c", seen: [1, 2] },
  { at: "cursor", cursor: "c" },
  {
    at: "window",
    ranges: [["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]],
    seen: [1],
    edge: [2],
  },
];

test("resume tokens", async ({ task }) => {
  task.meta.measured = await feed(200_000, (mutator) => {
    const token = mutator.below(10) === 0 ? mutator.noise(60) : mutator.body(tokens);
    parseResume("GET /x", token);
    readState("GET /x", token);
  });
  expect(isBounded(task.meta.measured)).toBe(true);
});
