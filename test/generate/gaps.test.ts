import { expect, it } from "vitest";
import { gaps, mockReadings } from "../../generated/gaps.ts";

it("the generated gaps list the default reading first", () => {
  for (const [id, names] of Object.entries(mockReadings)) {
    expect(gaps, id).toHaveProperty([id, "default"], names[0]);
    expect(gaps, id).toHaveProperty([id, "affects"], expect.arrayContaining(["mock"]));
  }
});
