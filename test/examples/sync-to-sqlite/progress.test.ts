import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { type Output, Progress } from "../../../examples/sync-to-sqlite/progress.ts";

const position = { done: 1240, of: 2000, protocols: 24_800, rowsPerSecond: 31_000 };

/** An output that keeps its lines, and a clock that the test sets. */
function scene(output: Partial<Output>) {
  const written: string[] = [];
  let now = 0;
  const write = (text: string) => written.push(text);
  const progress = new Progress({ ...output, write }, undefined, () => now);
  return { progress, written, at: (ms: number) => (now = ms) };
}

describe("the progress display", () => {
  it("redraws its bar in place on a terminal", () => {
    const { progress, written, at } = scene({ isTTY: true, columns: 120 });
    at(150);
    progress.show(() => position);
    expect(written).toHaveLength(1);
    expect(written[0]?.startsWith("\r\u001B[K")).toBe(true);
    expect(stripVTControlCharacters(written.join("")).trim()).toBe(
      `${"█".repeat(19)}${"░".repeat(11)}  62 %  1,240 of 2,000 stores, 24,800 protocols, 31,000 rows/s`,
    );
  });

  it.each([80, 60, 20])("fits into %i columns", (columns) => {
    const { progress, written, at } = scene({ isTTY: true, columns });
    at(150);
    progress.show(() => position);
    const drawn = stripVTControlCharacters(written.join("")).replace("\r", "");
    expect(drawn.length).toBeLessThan(columns);
    expect(drawn).not.toContain("\n");
  });

  it("writes plain lines without a terminal, at growing intervals", () => {
    const { progress, written, at } = scene({});
    const lines: number[] = [];
    for (let ms = 0; ms < 120_000; ms += 100) {
      at(ms);
      progress.show(() => position);
      if (written.length > lines.length) lines.push(ms);
    }
    expect(lines).toEqual([500, 1500, 3500, 7500, 15_500, 31_500, 61_500, 91_500]);
    expect(new Set(written)).toEqual(new Set(["1,240 of 2,000 stores, 24,800 protocols, 31,000 rows/s\n"]));
  });

  it("removes the bar before it prints a line", () => {
    const { progress, written } = scene({ isTTY: true });
    progress.line("done");
    expect(written).toEqual(["\r\u001B[Kdone\n"]);
  });
});
