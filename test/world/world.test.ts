import { expect, it } from "vitest";
import { checkHistories, checkLists } from "./run.ts";

it("holds the promises of docs/guarantees.md in random histories", async () => {
  const { SEED = "1", RUNS = "150" } = process.env;
  expect(await checkHistories({ ...process.env, SEED, RUNS })).toBeUndefined();
});

it("walks random lists of services that nobody has seen, and loses and repeats nothing", async () => {
  const { SEED = "1", LISTS = "300" } = process.env;
  expect(await checkLists({ ...process.env, SEED, LISTS })).toBeUndefined();
});
