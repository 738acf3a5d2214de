import { describe, expect, it } from "vitest";
import { outcomes, startProgress, type Report, type Verdict } from "../../src/prove/report.ts";

function written(isTTY: boolean, ...verdicts: readonly Verdict[]): string {
  let text = "";
  const progress = startProgress({ isTTY, write: (part: string) => (text += part) }, verdicts.length);
  for (const verdict of verdicts) {
    const isPass = outcomes[verdict] === "pass";
    progress.add({ scenario: `a/${verdict}`, verdict, isPass } as Report);
  }
  progress.end();
  return text;
}

describe("the progress", () => {
  it("is a line that changes on a terminal, and goes at the end", () => {
    expect(written(true, "correct", "silent").split("\r\u001b[K")).toEqual([
      "",
      "1 of 2 scenarios, 0 failed",
      "a/silent: silent\n",
      "2 of 2 scenarios, 1 failed",
      "",
    ]);
  });

  it("has only failures elsewhere", () => {
    expect(written(false, "correct", "silent", "loud", "too slow")).toBe(
      "a/silent: silent\na/too slow: too slow\n",
    );
  });
});
