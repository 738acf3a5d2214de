import { afterEach, describe, expect, it } from "vitest";
import { parseRetryAfter } from "../../src/wire/header.ts";

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

const now = Date.UTC(2026, 0, 1);

describe("Retry-After", () => {
  it.each<[string | null, number | undefined]>([
    ["2", 2000],
    ["2.0", 2000],
    ["0.25", 250],
    ["1.0001", 1001],
    [" 3 ", 3000],
    ["0", 0],
    ["99999999999999999999", 86_400_000],
    ["-1", undefined],
    ["1e3", undefined],
    ["2s", undefined],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
    ["2026-01-01T00:00:05Z", undefined],
    ["Fri, 32 Jan 2026 00:00:00 GMT", undefined],
  ])("%j is %s ms", (text, expected) => {
    expect(parseRetryAfter(text, now)).toBe(expected);
  });

  it.each(["UTC", "Europe/Warsaw", "America/New_York", "Asia/Kolkata"])(
    "is the same date in each form, on a machine in %s",
    (name) => {
      process.env["TZ"] = name;
      for (const text of [
        "Thu, 01 Jan 2026 00:00:05 GMT",
        "Thursday, 01-Jan-26 00:00:05 GMT",
        "Thu Jan  1 00:00:05 2026",
        "Thu, 01 Jan 2026 00:00:05",
        "Thu, 01 Jan 2026 01:00:05 +0100",
      ])
        expect(parseRetryAfter(text, now), text).toBe(5000);
      expect(parseRetryAfter("Wed, 31 Dec 2025 23:59:00 GMT", now)).toBe(0);
    },
  );
});
