import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../arguments.ts";

test("a run without a seed chooses one that repeats the run", () => {
  const { seed } = readArguments([]);
  assert.equal(readArguments(["--seed", String(seed)]).seed, seed);
});

test("invalid arguments are rejected", () => {
  assert.throws(() => readArguments(["--seed", "x"]), /--seed must have at most nine digits/);
  assert.throws(() => readArguments(["--compare", "a.json"]), /--compare needs two files/);
  assert.throws(() => readArguments(["--readme", "--only", "types"]), /--readme needs every row/);
  assert.throws(() => readArguments(["--from", "a.json"]), /--from needs --readme/);
  assert.throws(() => readArguments(["a.json"]), /a\.json is not an option/);
  assert.throws(() => readArguments(["--slow"]), /--slow/);
});
