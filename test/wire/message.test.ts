import { describe, expect, it } from "vitest";
import { escapeLine } from "../../src/wire/message.ts";

describe("a line", () => {
  it.each([
    ["a terminal's escape sequence", "a\x1b[2J\x1b]0;x\x07b", "a\\u001b[2J\\u001b]0;x\\u0007b"],
    ["an 8-bit escape sequence", "a\x9b31mb", "a\\u009b31mb"],
    [
      "a forged line",
      "a\r\nok\u2028ok\u2029\x85\x0b\x0c",
      "a\\u000d\\u000aok\\u2028ok\\u2029\\u0085\\u000b\\u000c",
    ],
    ["reversed text", "a\u202egnp.exe\u2066", "a\\u202egnp.exe\\u2066"],
    ["invisible characters", "a\u200bb\ufeff\u00ad\u{e0041}", "a\\u200bb\\ufeff\\u00ad\\udb40\\udc41"],
    [
      "invisible letters and marks",
      "a\u3164b\u115f\ufe0f\u034f\u2800",
      "a\\u3164b\\u115f\\ufe0f\\u034f\\u2800",
    ],
    ["a lone surrogate", "a\ud800b", "a\\ud800b"],
    ["a command of a CI service", "a ##vso[b]##[c] ##d", "a #\\u0023vso[b]#\\u0023[c] ##d"],
    ["deletions", "a\b\x7fb", "a\\u0008\\u007fb"],
  ])("shows %s as escapes", (_, text, line) => {
    expect(escapeLine(text)).toBe(line);
    expect(JSON.parse(escapeLine(JSON.stringify({ text })))).toEqual({ text });
  });

  it("keeps letters of any language, and emoji", () => {
    expect(escapeLine('Zażółć "gęślą" 例 👍')).toBe('Zażółć "gęślą" 例 👍');
  });
});
