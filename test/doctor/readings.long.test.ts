import { expect, it } from "vitest";
import { findAllWrong } from "./random-service.ts";

it("doctor names no wrong reading and no difference in 200 random services with other writers and faults", async () => {
  const { wrong, seen } = await findAllWrong(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(1000);
});
