import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SeededMap } from "../../src/mock/seed/seeded-map.ts";

const SEEDS = ["a", "b", "c", "d"];
const made = (key: string) => `made ${key}`;

/** One thing to do to a map. */
const deed = fc.tuple(
  fc.constantFrom("set", "delete", "get", "peek", "list", "copy", "clear"),
  fc.constantFrom(...SEEDS, "e", "f", "0"),
);

test("a seeded map is a map that holds its seeds, whatever is done to it", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(deed, { maxLength: 40 }), (sorted, deeds) => {
      const map = new SeededMap<string>(sorted);
      map.seed(SEEDS, made);
      const model = new Map(SEEDS.map((key) => [key, made(key)]));
      for (const [name, key] of deeds) {
        const [said, expected] = done(map, model, name, key);
        expect(said).toBe(expected);
        expect([map.size, map.has(key), map.peek(key)]).toEqual([model.size, model.has(key), model.get(key)]);
        const keys = [...model.keys()];
        expect(map.keyList()).toEqual(sorted ? keys.toSorted() : keys);
      }
      expect([...map]).toEqual([...model]);
    }),
  );
});

/** Does it to both, and answers what each said. */
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
      return [map.paste(map.copy()), undefined];
    default:
      return [[...map.keys()].join(), [...model.keys()].join()];
  }
}

/** One thing that somebody does to a map of rows, by key. */
const act = fc.tuple(
  fc.constantFrom("get", "values", "set", "keep", "delete", "text", "read", "copy", "seed", "change"),
  fc.constantFrom(...SEEDS, "e"),
);

test("the text of a value is the one of now, whoever holds the value and changes it", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const map = new SeededMap<{ at: string; list: number[] }>(true);
      const sow = (key: string) => ({ at: key, list: [] });
      map.seed(SEEDS, sow);
      const held: { at: string; list: number[] }[] = [];
      for (const [turn, [name, key]] of acts.entries()) {
        const row = { at: key, list: [turn] };
        if (name === "get") held.push(...[map.get(key)].filter((it) => it !== undefined));
        else if (name === "values") held.push(...map.values());
        else if (name === "set") map.set(key, held[held.push(row) - 1] ?? row);
        else if (name === "keep") map.keep(key, { ...row, list: map.read(key)?.list ?? row.list });
        else if (name === "delete") map.delete(key);
        else if (name === "copy") map.paste(map.copy());
        else if (name === "seed") map.seed(SEEDS, sow);
        else if (name === "change") for (const { list } of held) list.push(turn);
        for (const known of map.keyList()) expect(map.text(known)).toBe(JSON.stringify(map.peek(known)));
      }
    }),
  );
});

test("a text is kept from the second time on, and made again once there are too many", () => {
  const map = new SeededMap<{ long: string }>(true);
  const keys = Array.from({ length: 20 }, (_, number) => `k${number}`);
  let count = 0;
  map.seed(keys, (key) => ({ long: key.repeat(200_000 + (count += 1)) }));
  for (let turn = 0; turn < 2; turn++) for (const key of keys) expect(map.text(key)).toContain(key.repeat(9));
  expect(count).toBeGreaterThan(keys.length);
  const last = map.text("k19");
  const before = count;
  expect(map.text("k19")).toBe(last);
  expect(count).toBe(before);
});

test("a copy shares nothing with the map, and keeps what was not looked at unmade", () => {
  let count = 0;
  const map = new SeededMap<{ list: number[] }>(true);
  map.seed(SEEDS, () => ({ list: [(count += 1)] }));
  map.get("a")?.list.push(9);
  const copy = map.copy();
  map.get("a")?.list.push(10);
  map.paste(copy);
  expect([map.get("a"), count]).toEqual([{ list: [1, 9] }, 1]);
  map.get("a")?.list.push(11);
  map.paste(copy);
  expect(map.get("a")).toEqual({ list: [1, 9] });
});

test("copies members of any name and values that are no JSON", () => {
  const map = new SeededMap<unknown>(false);
  const odd: unknown = JSON.parse('{"__proto__":{"x":1},"at":null}');
  map.set("odd", odd);
  map.set("date", new Date(0));
  map.paste(map.copy());
  expect(JSON.stringify(map.get("odd"))).toBe('{"__proto__":{"x":1},"at":null}');
  expect(map.get("date")).toEqual(new Date(0));
});

test("many changes and few ones list the same", () => {
  const map = new SeededMap<number>(true);
  map.seed(["m"], () => 0);
  map.keyList();
  for (let number = 0; number < 200; number++) map.set(`k${number}`, number);
  expect(map.keyList()).toEqual([...map.keys()].toSorted());
  map.set("k5x", 1);
  map.delete("k7");
  expect(map.keyList()).toEqual([...map.keys()].toSorted());
});
