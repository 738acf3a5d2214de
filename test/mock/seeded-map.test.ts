import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SeededMap } from "../../src/mock/server/rows.ts";

const SEEDS = ["a", "b", "c", "d"];
const made = (key: string) => `made ${key}`;

/** An operation of a map. */
const action = fc.tuple(
  fc.constantFrom("set", "delete", "get", "read", "list", "copy", "clear"),
  fc.constantFrom(...SEEDS, "e", "f", "0"),
);

test("a seeded map behaves like a Map with the same rows under any operations", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(action, { maxLength: 40 }), (sorted, actions) => {
      const map = new SeededMap<string>(sorted);
      map.seed(SEEDS, made);
      const model = new Map(SEEDS.map((key) => [key, made(key)]));
      for (const [name, key] of actions) {
        const [actual, expected] = done(map, model, name, key);
        expect(actual).toBe(expected);
        expect([map.size, map.has(key), map.read(key)]).toEqual([model.size, model.has(key), model.get(key)]);
        const keys = [...model.keys()];
        expect(map.keyList()).toEqual(sorted ? keys.toSorted() : keys);
      }
      expect([...map]).toEqual([...model]);
    }),
  );
});

/** Applies an operation to both maps and returns the result of each. */
function done(map: SeededMap<string>, model: Map<string, string>, name: string, key: string): unknown[] {
  switch (name) {
    case "set":
      return [map.set(key, "own").get(key), model.set(key, "own").get(key)];
    case "delete":
      return [map.delete(key), model.delete(key)];
    case "get":
      return [map.get(key), model.get(key)];
    case "clear":
      return [map.clear(), model.clear()];
    case "copy":
      return [map.restore(map.copy()), undefined];
    default:
      return [[...map.keys()].join(), [...model.keys()].join()];
  }
}

test("a copy shares no object with the map, and its unread values stay pending", () => {
  let count = 0;
  const map = new SeededMap<{ list: number[] }>(true);
  map.seed(SEEDS, () => ({ list: [(count += 1)] }));
  map.get("a")?.list.push(9);
  const copy = map.copy();
  map.get("a")?.list.push(10);
  map.restore(copy);
  expect([map.get("a"), count]).toEqual([{ list: [1, 9] }, 1]);
  map.get("a")?.list.push(11);
  map.restore(copy);
  expect(map.get("a")).toEqual({ list: [1, 9] });
});
