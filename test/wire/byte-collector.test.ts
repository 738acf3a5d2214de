import { describe, expect, it } from "vitest";
import { ByteCollector } from "../../src/wire/byte-collector.ts";

const bytesOf = (length: number, first: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (first + index) % 251);

describe("a collector of bytes", () => {
  it.each([
    ["nothing", []],
    ["one chunk", [5]],
    ["small chunks", Array.from({ length: 70_000 }, () => 1)],
    ["large chunks", [16_384, 100_000]],
    ["chunks of all sizes", [1, 16_384, 0, 65_535, 1, 1, 16_383, 40_000, 16_383, 2]],
  ])("returns the bytes of %s in order, and forgets them", (_, lengths) => {
    const collector = new ByteCollector();
    let size = 0;
    for (const length of lengths) {
      collector.add(bytesOf(length, size));
      size += length;
    }
    expect(collector.size).toBe(size);
    expect(Buffer.compare(collector.take(), bytesOf(size, 0))).toBe(0);
    expect([collector.size, collector.take().length]).toEqual([0, 0]);
  });

  it("keeps no buffer of a small chunk alive, and does not write to one", () => {
    const pool = new Uint8Array(65_536).fill(7);
    const collector = new ByteCollector();
    for (let index = 0; index < 4; index += 1) collector.add(pool.subarray(index, index + 1));
    pool.fill(9, 1);
    expect([...collector.take()]).toEqual([7, 7, 7, 7]);
    expect([pool[0], pool[1]]).toEqual([7, 9]);
  });
});
