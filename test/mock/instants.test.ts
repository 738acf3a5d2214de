import { expect, test } from "vitest";
import { isRfc3339, parseInstant } from "../../src/wire/instants.ts";

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123Z"],
  ["2026-01-01T00:00:00,5+01:30", "2025-12-31T22:30:00.500Z"],
  ["2026-01-01T00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T02:00+0200", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T02:00-02", "2026-01-01T04:00:00.000Z"],
  ["2026-01-01T00:00:00", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01", "2026-01-01T00:00:00.000Z"],
  ["2025-12-31T24:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
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
  "1 January 2026",
])("the mock rejects %j as a time", (text) => {
  expect(parseInstant(text)).toBeNaN();
});

test.each([
  ["2026-01-01T00:00:00Z", true],
  ["2026-01-01T00:00:00.5+02:00", true],
  ["2026-01-01T00:00Z", false],
  ["2026-01-01T00:00:00", false],
  ["2026-01-01T00:00:00+0200", false],
])("the mock decides whether %s is in RFC 3339 form: %s", (text, expected) => {
  expect(isRfc3339(text)).toBe(expected);
});
