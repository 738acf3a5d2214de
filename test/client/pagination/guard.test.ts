import { describe, expect, it } from "vitest";
import { WalkGuard } from "../../../src/client/core/pagination/guard.ts";
import { hash } from "../../../src/wire/hash.ts";
import { PaginationError } from "../../../src/client/store/index.ts";

const label = "GET /a";
const clean = (text: string): string => text.replaceAll("secret", "[redacted]");

/** The number of cursors sent before a loop is noticed if each page is read in a new process. */
function stepsUntilLoop(cursorAt: (step: number) => string, maximum: number): number {
  let state: WalkGuard["state"] | undefined;
  for (let step = 0; step < maximum; step++) {
    const guard = new WalkGuard(label, undefined, state);
    try {
      guard.enter(cursorAt(step));
    } catch (error) {
      if (error instanceof PaginationError) return step;
      throw error;
    }
    state = JSON.parse(JSON.stringify(guard.state)) as WalkGuard["state"];
  }
  return maximum;
}

describe("a walk", () => {
  it.each([1, 2, 3, 64])(
    "resumed page by page, notices a loop of %i cursors when the first one is repeated",
    (length) => {
      expect(stepsUntilLoop((step) => `c${step % length}`, 1000)).toBe(length);
      expect(stepsUntilLoop((step) => (step < 7 ? `start${step}` : `c${step % length}`), 1000)).toBe(
        7 + length,
      );
    },
  );

  it.each([65, 100, 500])(
    "resumed page by page, notices a loop of %i cursors, more than a token holds, within three rounds",
    (length) => {
      const steps = stepsUntilLoop((step) => `c${step % length}`, 10_000);
      expect(steps).toBeGreaterThanOrEqual(length);
      expect(steps).toBeLessThanOrEqual(3 * length);
    },
  );

  it("with new cursors detects no loop, and its state stays small", () => {
    expect(stepsUntilLoop((step) => `c${step}`, 5000)).toBe(5000);
    const guard = new WalkGuard(label);
    for (let step = 0; step < 5000; step++) guard.enter(`c${step}`);
    expect(guard.state.cursors).toHaveLength(128);
    expect(JSON.stringify(guard.state).length).toBeLessThan(2500);
  });
});

describe("a page with the items of an earlier one", () => {
  it.each([1, 2, 60])("is detected %i pages later, resumed after each page", (distance) => {
    let guard = new WalkGuard(label);
    const read = (page: number, keys: readonly number[]): void => {
      guard.enter(`c${page}`);
      guard.accept({ at: `c${page}`, keys, clean, next: `c${page + 1}` });
      guard = new WalkGuard(label, undefined, guard.state);
    };
    for (let page = 1; page < 80; page++) read(page, [page, 1000 + page]);
    expect(() => read(80, [80 - distance, 1080 - distance])).toThrow(PaginationError);
  });
});

describe("a walk over pages without a new item", () => {
  it("ends after empty pages, at the given limit", () => {
    const guard = new WalkGuard(label, 3);
    const empty = { at: undefined, keys: [], clean };
    guard.accept(empty);
    guard.accept(empty);
    expect(() => guard.accept(empty)).toThrow(
      "GET /a: 3 requests in a row returned no new item (the limit is `maxIdleRequests`)",
    );
  });

  it("counts requests across resumed pieces, and from zero after a new item", () => {
    let guard = new WalkGuard(label, 3);
    const again = (): void => {
      guard = new WalkGuard(label, 3, guard.state);
    };
    for (const keys of [[], [], [7], [], []]) {
      guard.accept({ at: undefined, keys, clean });
      again();
    }
    expect(() => guard.accept({ at: undefined, keys: [], clean })).toThrow(PaginationError);
  });

  it("counts repeated pages even if equal pages may contain different items", () => {
    const guard = new WalkGuard(label, 3);
    const page = { at: "c", keys: [1, 2], clean, mayRepeat: true };
    guard.accept(page);
    guard.accept(page);
    guard.accept(page);
    expect(() => guard.accept(page)).toThrow("3 requests in a row returned no new item");
  });
});

describe("a repeated page", () => {
  it("is not one that differs in any item, in a bit of it, in their order or in their number", () => {
    const keys = ["a", "b", "c"].map((id) => hash(id));
    const changed = keys.flatMap((key, index) =>
      [0, 10, 20, 31, 32, 52].map((bit) => keys.with(index, key + 2 ** bit)),
    );
    const others = [keys.toReversed(), keys.slice(1), keys.slice(0, 2), [...keys, 0], [...keys, ...keys]];
    const guard = new WalkGuard(label, 1);
    for (const page of [keys, ...changed, ...others])
      expect(() => guard.accept({ at: undefined, keys: page, clean })).not.toThrow();
    expect(() => guard.accept({ at: undefined, keys, clean })).toThrow(
      "the server returned an earlier page again",
    );
  });

  it("is an error for every earlier page, and after a resume for the previous page", () => {
    const guard = new WalkGuard(label);
    guard.accept({ at: undefined, keys: [1], clean });
    guard.accept({ at: "a", keys: [2], clean });
    const resumed = new WalkGuard(label, undefined, guard.state);
    expect(() => resumed.accept({ at: "b", keys: [2], clean })).toThrow(
      "the server returned the previous page again",
    );
    expect(() => guard.accept({ at: "b", keys: [1], clean })).toThrow(
      "the server returned an earlier page again",
    );
  });
});

it("an error quotes the last cursor and the reason without the secret", () => {
  const guard = new WalkGuard(label);
  guard.accept({ at: "my-secret-cursor", keys: [1], clean });
  expect(guard.error("about secret")).toMatchObject({
    reason: "about [redacted]",
    message: "GET /a: about [redacted]",
    lastCursor: "my-[redacted]-cursor",
  });
});

it("a hash is an integer of 53 bits, and 200 000 similar strings have different hashes", () => {
  const hashes = Array.from({ length: 200_000 }, (_, at) => hash(`cursor-${at}`));
  expect(hashes.every(Number.isSafeInteger)).toBe(true);
  expect(new Set(hashes).size).toBe(hashes.length);
});

it("a page that an earlier piece of the walk has read is rejected before it is delivered", () => {
  const first = new WalkGuard(label);
  first.accept({ at: undefined, keys: [1, 2], clean, next: "a" });
  first.enter("a");
  first.accept({ at: "a", keys: [3, 4], clean, mayRepeat: true, next: "b" });
  const resumed = new WalkGuard(label, undefined, structuredClone(first.state));
  resumed.enter("b");
  const repeated = { at: "b", keys: [1, 2], clean, mayRepeat: true, next: "a" };
  expect(() => resumed.accept(repeated)).toThrow("returned the same cursor twice");
});
