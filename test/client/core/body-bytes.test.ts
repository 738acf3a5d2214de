import { describe, expect, it } from "vitest";
import { BodyBytes } from "../../../src/client/transport.ts";

/** A body of the given chunk sizes, whose bytes count up. */
function collect(sizes: readonly number[]) {
  const bytes = new BodyBytes();
  let next = 0;
  for (const size of sizes) bytes.add(Uint8Array.from({ length: size }, () => (next += 1) % 251));
  const expected = Uint8Array.from({ length: next }, (_, index) => (index + 1) % 251);
  return { bytes, expected };
}

describe("the bytes of a body", () => {
  it.each<[string, number[]]>([
    ["no chunk", []],
    ["an empty chunk", [0]],
    ["one large chunk", [100_000]],
    ["small chunks", [1, 1, 1, 4095, 2, 4095, 4095, 1]],
    ["small chunks that fill several blocks", Array.from({ length: 60 }, () => 4000)],
    ["small and large ones in turn", [10, 5000, 3, 4096, 0, 7, 70_000, 1, 1]],
  ])("are those of its chunks in order: %s", (_, sizes) => {
    const { bytes, expected } = collect(sizes);
    expect(bytes.size).toBe(expected.length);
    expect(bytes.read(Infinity)).toEqual(expected);
  });

  it("end at the limit", () => {
    expect(collect([5]).bytes.read(3)).toHaveLength(3);
    expect(collect([5, 5000, 5]).bytes.read(5007)).toHaveLength(5007);
  });

  it("of one chunk are not copied", () => {
    const chunk = new Uint8Array(10);
    const bytes = new BodyBytes();
    bytes.add(chunk);
    expect(bytes.read(10).buffer).toBe(chunk.buffer);
  });

  it("need about their size of memory, however small their chunks are", () => {
    const count = 3_000_000;
    const bytes = new BodyBytes();
    const before = process.memoryUsage();
    for (let index = 0; index < count; index += 1) bytes.add(Uint8Array.of(1));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    expect(bytes.read(Infinity)).toHaveLength(count);
    expect(bytes.size).toBe(count);
    expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(150_000_000);
  });
});
