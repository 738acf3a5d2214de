import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { isRfc3339, parseInstant } from "../../src/mock/server/clock.ts";

test("the mock clock is fixed, and advances by the given duration", async () => {
  const { clock } = createReferenceServer({ now: "2026-03-01T10:00:00+01:00" });
  expect(clock.now().toISOString()).toBe("2026-03-01T09:00:00.000Z");
  clock.advance({ weeks: 1, days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 });
  expect(clock.now().toISOString()).toBe("2026-03-09T10:01:01.001Z");
  clock.advance({ days: -8 });
  clock.set("2027-01-01T00:00:00Z");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(clock.now().toISOString()).toBe("2027-01-01T00:00:00.000Z");
  clock.set(new Date(0));
  expect(clock.ms()).toBe(0);
});

test("the mock clock follows the system time with `now: system`", async () => {
  const { clock } = createReferenceServer({ now: "system" });
  const earliest = Date.now();
  const before = clock.ms();
  expect(before).toBeGreaterThanOrEqual(earliest);
  expect(before).toBeLessThanOrEqual(Date.now());
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(clock.ms()).toBeGreaterThan(before);
});

test("the mock clock decides the dates of seeded rows, which are in the 28 days before it", () => {
  const ref = createReferenceServer({ now: "2026-05-01T00:00:00Z", store: { stores: 20 } });
  const text = JSON.stringify(ref.exportState());
  const dates = Array.from(text.matchAll(/"\w+At":"([^"]+)"/g), ([, date = ""]) => Date.parse(date));
  expect(dates.length).toBeGreaterThan(1_000);
  expect(Math.min(...dates)).toBeGreaterThanOrEqual(ref.clock.ms() - 28 * 86_400_000);
  expect(Math.max(...dates)).toBeLessThanOrEqual(ref.clock.ms());
});

test("the mock clock rejects unknown units and times", () => {
  const { clock } = createReferenceServer();
  expect(() => clock.advance({ months: 1 } as never)).toThrow(/clock\.advance: unknown property "months"/);
  expect(() => clock.advance({ weeks: 1e12 })).toThrow(/ISO 8601 string/);
  for (const time of [null, 5, {}, "tomorrow"])
    expect(() => clock.set(time as never)).toThrow(/now: must be a Date or an ISO 8601 string/);
});

test.for([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z", true],
  ["2026-01-01T00:00:00.5+02:00", "2025-12-31T22:00:00.500Z", true],
  ["2026-01-01T00:00Z", "2026-01-01T00:00:00.000Z", false],
  ["2026-01-01t02:00-02:30", "2026-01-01T04:30:00.000Z", false],
  ["2026-01-01T00:00:00", "2026-01-01T00:00:00.000Z", false],
  ["2026-01-01", "2026-01-01T00:00:00.000Z", false],
  ["2025-12-31T24:00:00Z", "2026-01-01T00:00:00.000Z", false],
  ["soon", undefined, false],
  ["2026-02-30T00:00:00Z", undefined, false],
  ["2026-01-01T25:00:00Z", undefined, false],
  ["2026-01-01T00:00:00+24:00", undefined, false],
  ["1 January 2026", undefined, false],
] as const)(
  "the mock reads %s as %s, in every time zone of the machine; of RFC 3339: %s",
  ([text, instant, isStrict]) => {
    const time = parseInstant(text);
    expect(Number.isNaN(time) ? undefined : new Date(time).toISOString()).toBe(instant);
    expect(isRfc3339(text)).toBe(isStrict);
  },
);
