import { describe, expect, it } from "vitest";
import { calendarDay, formatInstant, parseInstant } from "./instants.ts";

const micros = (text: string): number => Date.parse(text) * 1000;

describe("parseInstant", () => {
  it.each([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", true],
    ["2026-01-01T01:00:00.5+01:00", "2026-01-01T00:00:00.500Z", true],
    ["2026-01-01t00:00:00z", "2026-01-01T00:00:00Z", true],
    ["2026-01-01T00:00Z", "2026-01-01T00:00:00Z", false],
    ["2026-01-01T00:00:00", "2026-01-01T00:00:00Z", false],
    ["2026-01-01T01:00:00+0100", "2026-01-01T00:00:00Z", false],
    ["2026-01-01T24:00:00Z", "2026-01-02T00:00:00Z", false],
    ["20260101T000000Z", "2026-01-01T00:00:00Z", false],
    ["2026-01-01T00:00:00,25Z", "2026-01-01T00:00:00.250Z", false],
  ])("reads the date-time %s", (text, instant, isRfc3339) => {
    expect(parseInstant(text, "iso8601")).toBe(micros(instant));
    expect(parseInstant(text, "rfc3339")).toBe(isRfc3339 ? micros(instant) : undefined);
  });

  it.each([
    "",
    "2026-01-01",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01 00:00:00Z",
    "x",
  ])("rejects %j in every form of date-times", (text) =>
    expect(parseInstant(text, "iso8601")).toBeUndefined(),
  );

  it("keeps microseconds", () => {
    const text = "2026-01-01T00:00:00.000001Z";
    expect(formatInstant(parseInstant(text, "rfc3339") ?? 0, true)).toBe(text);
  });
});

describe("formatInstant", () => {
  it.each(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.120Z", "2026-01-01T00:00:00.120003Z"])(
    "writes the date-time %s",
    (text) => {
      expect(formatInstant(parseInstant(text, "rfc3339") ?? 0, true)).toBe(text);
      expect(formatInstant(parseInstant(text, "rfc3339") ?? 0, false)).toBe(text.slice(0, -1));
    },
  );
});

describe("calendarDay", () => {
  it.each([
    ["2026-03-29T00:59:59Z", "2026-03-29"],
    ["2026-03-28T23:00:00Z", "2026-03-29"],
    ["2026-03-29T21:59:59Z", "2026-03-29"],
    ["2026-03-29T22:00:00Z", "2026-03-30"],
    ["2026-10-25T22:59:59Z", "2026-10-25"],
    ["2026-10-25T23:00:00Z", "2026-10-26"],
  ])("returns the day in Warsaw that the time zone database gives for %s", (text, date) => {
    expect(calendarDay(micros(text), "local").date).toBe(date);
    const named = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Warsaw" }).format(new Date(text));
    expect(named).toBe(date);
  });

  it("numbers weekdays from Monday and returns the Monday of the week", () => {
    expect(calendarDay(micros("2026-03-29T12:00:00Z"), "utc")).toEqual({
      date: "2026-03-29",
      weekday: 6,
      week: "2026-03-23",
    });
  });
});
