import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mockReadings } from "../../generated/readings.ts";

test("every gap that affects the reference server is named in the code that decides it", () => {
  const sources = globSync("src/mock/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const all = sources.join("\n");
  expect(Object.keys(mockReadings).filter((gap) => !all.includes(`"${gap}"`))).toEqual([]);
});
