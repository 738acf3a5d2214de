import { expect, test } from "vitest";
import { isRfc3339, parseInstant } from "../../src/mock/server/instants.ts";

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123Z"],
  ["2026-01-01T00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01t02:00-02:30", "2026-01-01T04:30:00.000Z"],
  ["2026-01-01T00:00:00", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01", "2026-01-01T00:00:00.000Z"],
  ["2025-12-31T24:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["0050-01-01T00:00:00Z", "0050-01-01T00:00:00.000Z"],
])("the mock reads %s as %s, in every time zone of the machine", (text, instant) => {
  expect(new Date(parseInstant(text)).toISOString()).toBe(instant);
});

test.each([
  "",
  "soon",
  "2026-13-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T25:00:00Z",
  "2026-01-01T24:00:01Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T0000Z",
  "1 January 2026",
])("the mock rejects %j as a time", (text) => {
  expect(parseInstant(text)).toBeNaN();
});

test.each([
  ["2026-01-01T00:00:00Z", true],
  ["2026-01-01T00:00:00.5+02:00", true],
  ["2026-01-01T24:00:00Z", false],
  ["20260101T000000Z", false],
  ["2026-01-01T00:00Z", false],
  ["2026-01-01T00:00:00", false],
  ["2026-01-01T00:00:00+0200", false],
])("the mock decides whether %s is in RFC 3339 form: %s", (text, expected) => {
  expect(isRfc3339(text)).toBe(expected);
});
