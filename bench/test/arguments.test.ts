import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../arguments.ts";

test("the whole run has growth, the quick one has not, unless it is said", () => {
  assert.equal(readArguments([]).growth, true);
  assert.equal(readArguments(["--quick"]).growth, false);
  assert.equal(readArguments(["--quick", "--growth"]).growth, true);
  assert.equal(readArguments(["--no-growth"]).growth, false);
});

test("a run without a seed gets one that can be given again", () => {
  const { seed } = readArguments([]);
  assert.equal(readArguments(["--seed", String(seed)]).seed, seed);
});

test("what makes no sense is refused", () => {
  assert.throws(() => readArguments(["--seed", "x"]), /--seed wants up to nine digits/);
  assert.throws(() => readArguments(["--compare", "a.json"]), /--compare wants two files/);
  assert.throws(() => readArguments(["--readme", "--only", "types"]), /--readme wants every row/);
  assert.throws(() => readArguments(["--from", "a.json"]), /--from wants --readme/);
  assert.throws(() => readArguments(["a.json"]), /a\.json is not an option/);
  assert.throws(() => readArguments(["--slow"]), /--slow/);
});
