import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { WalkGuard } from "../../src/client/core/pagination/guard.ts";
import { copyCall } from "../../src/client/core/pagination/list-call.ts";
import { beginWalk, writeToken } from "../../src/client/core/pagination/walk.ts";
import { readWindows } from "../../src/client/core/pagination/windows.ts";
import { RequestRecord } from "../../src/client/core/pagination/list-reader.ts";
import { DestinationLock } from "../../src/client/core/request/destination.ts";
import { parseRetryAfter } from "../../src/wire/retry-after.ts";
import { environmentOf } from "../../src/client/fleet/keys.ts";
import { feed } from "./measure.ts";
import type { Json } from "./mutator.ts";

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

test("the client reads any Retry-After", async ({ task }) => {
  task.meta.measured = await feed(75_000, (mutator) => {
    const value = mutator.below(10) === 0 ? mutator.noise(60) : mutator.text(mutator.pick(waits));
    const wait = parseRetryAfter(value, now);
    assert.ok(wait === undefined || wait >= 0, `${JSON.stringify(value)} is ${wait}`);
  });
  expect(task.meta.measured.megabytes).toBeLessThan(64);
});

const digits = "0123456789abcdefABCDEF0123456789".repeat(2);
const keys = [
  `acme_${digits}`,
  `acme_test_${digits}`,
  `a_b-c.d_test_${digits}`,
  `test_${digits}`,
  "a_".repeat(3000),
];

test("the client reads any key, and quotes none", async ({ task }) => {
  task.meta.measured = await feed(50_000, (mutator) => {
    const key = mutator.below(10) === 0 ? mutator.noise(90) : mutator.text(mutator.pick(keys));
    try {
      const environment = environmentOf(key, mutator.pick([undefined, "acme", "a_b-c.d", "$^("]));
      assert.equal(environment === "sandbox", /_test_[\da-f]{64}$/i.test(key));
    } catch (error) {
      // an error quotes no part of a key
      if (key.length > 20) assert.ok(!(error as Error).message.includes(key.slice(-20)));
      throw error;
    }
  });
  expect(task.meta.measured.megabytes).toBeLessThan(64);
});

const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const api = {
  config: {
    operations: { getX: { method: "GET" as const, path: "/x" } },
    secret: { redactor: { redact: String } },
  },
  page: () => Promise.reject(new Error("nothing is requested")),
};
const list = (resume?: string) =>
  copyCall({ api, operation: "getX", query: { ...range, resume }, options: undefined }, []);
const guard = new WalkGuard("GET /x");
guard.enter("a");
const walk = { guard, destination: new DestinationLock() };
const positions = [
  { cursor: "S-1" },
  { page: 2, before: { totalCount: 5, totalPages: 3, ids: [1] } },
  { at: "second", cursor: "c", first: [1, 2], hasIds: true },
  { at: "window", starts: [now + 5], delivered: [1], expected: [2], recurring: [3], hasIds: false },
];
const tokens = positions.map((position) => JSON.parse(writeToken(list(), position, walk)) as Json);

test("the client reads any resume token", async ({ task }) => {
  task.meta.measured = await feed(50_000, (mutator) => {
    const token = mutator.below(10) === 0 ? mutator.noise(60) : mutator.body(tokens);
    const { resumed } = beginWalk(list(token), new RequestRecord());
    const windows = readWindows({ ...(resumed?.position as object) }, range);
    for (const start of windows?.starts ?? []) assert.ok(start !== null && start > now);
  });
  expect(task.meta.measured.megabytes).toBeLessThan(64);
});
