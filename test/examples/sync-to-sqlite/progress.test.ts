import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { type Output, Progress } from "../../../examples/sync-to-sqlite/progress.ts";

const position = { done: 1240, of: 2000, protocols: 24_800, rowsPerSecond: 31_000 };

/** An output that keeps what is written, and a clock that is set by hand. */
function scene(output: Partial<Output>) {
  const written: string[] = [];
  let now = 0;
  const write = (text: string) => written.push(text);
  const progress = new Progress({ ...output, write }, undefined, () => now);
  return { progress, written, at: (ms: number) => (now = ms) };
}

describe("Progress", () => {
  it("draws a bar over itself on a terminal", () => {
    const { progress, written, at } = scene({ isTTY: true, columns: 120 });
    at(150);
    progress.show(() => position);
    expect(written).toHaveLength(1);
    expect(written[0]?.startsWith("\r\u001B[K")).toBe(true);
    expect(stripVTControlCharacters(written.join("")).trim()).toBe(
      `${"█".repeat(19)}${"░".repeat(11)}  62 %  1,240 of 2,000 stores, 24,800 protocols, 31,000 rows/s`,
    );
  });

  it.each([80, 60, 20])("keeps within %i columns", (columns) => {
    const { progress, written, at } = scene({ isTTY: true, columns });
    at(150);
    progress.show(() => position);
    const drawn = stripVTControlCharacters(written.join("")).replace("\r", "");
    expect(drawn.length).toBeLessThan(columns);
    expect(drawn).not.toContain("\n");
  });

  it("writes plain lines elsewhere, one in two seconds", () => {
    const { progress, written, at } = scene({});
    for (const ms of [100, 2_100, 2_200, 3_900, 4_200]) {
      at(ms);
      progress.show(() => position);
    }
    const line = "1,240 of 2,000 stores, 24,800 protocols, 31,000 rows/s\n";
    expect(written).toEqual([line, line]);
  });

  it("takes the bar away before a line", () => {
    const { progress, written } = scene({ isTTY: true });
    progress.line("done");
    expect(written).toEqual(["\r\u001B[Kdone\n"]);
  });
});
