import { describe, expect, it } from "vitest";
import { runHistory } from "./history.ts";
import { historyOf, inputsOf } from "./misuses.ts";

describe.each(["store", "fleet"] as const)("wrong input of the %s client", (api) => {
  it.each(inputsOf(api))("ends as misuses.txt says: %s", async (method) => {
    const { violations } = await runHistory(historyOf(api, method));
    expect(violations).toEqual([]);
  });
});
