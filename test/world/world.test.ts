import { expect, it } from "vitest";
import { checkHistories } from "./run.ts";

it("holds the promises of docs/guarantees.md in random histories", async () => {
  const { SEED = "1", RUNS = "150" } = process.env;
  expect(await checkHistories({ ...process.env, SEED, RUNS })).toBeUndefined();
});
