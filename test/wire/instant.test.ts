import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { parseInstant, serializeInstant } from "../../src/wire/instant.ts";

describe("an instant", () => {
  it.each<[unknown, string]>([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
    ["2026-01-01t00:00z", "2026-01-01T00:00:00.000Z"],
    ["2024-02-29T23:59:59+01:00", "2024-02-29T22:59:59.000Z"],
    ["2026-01-01T00:00:00-0130", "2026-01-01T01:30:00.000Z"],
    ["2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500Z"],
    ["2026-01-01T00:00:00,25Z", "2026-01-01T00:00:00.250Z"],
    ["2026-01-01T00:00:00.123456789+01:00", "2025-12-31T23:00:00.123456789Z"],
    ["2026-01-31T24:00:00Z", "2026-02-01T00:00:00.000Z"],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [runInNewContext("new Date(0)"), "1970-01-01T00:00:00.000Z"],
  ])("%s is the same in UTC: %s", (value, utc) => {
    expect(serializeInstant(value)).toBe(utc);
    expect(parseInstant(value)).toBe(Date.parse(utc));
  });

  it.each<unknown>([
    "2026-02-30T00:00:00Z",
    "2026-02-31T23:59:59Z",
    "2026-06-31T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01T24:00:01Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:61Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00.5Z",
    "2026-01-01T00:00:00",
    "2026-01-01 00:00:00Z",
    "2026-01-01T10:00:00 PM Z",
    "2026-01-01",
    "Thu, 01 Jan 2026 00:00:00 GMT",
    1_767_225_600_000,
    new Date(Number.NaN),
    null,
    undefined,
  ])("is not %s", (value) => {
    expect(parseInstant(value)).toBeUndefined();
    expect(serializeInstant(value)).toBeUndefined();
  });
});
