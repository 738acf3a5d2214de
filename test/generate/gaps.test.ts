import { expect, it } from "vitest";
import { gaps, mockReadings, storeClientStrategies } from "../../generated/gaps.ts";
import { fleetClientReadings, storeClientReadings } from "../../generated/readings.ts";

it("the generated gaps list the default reading first", () => {
  for (const [id, names] of Object.entries(mockReadings)) {
    expect(gaps, id).toHaveProperty([id, "default"], names[0]);
    expect(gaps, id).toHaveProperty([id, "affects"], expect.arrayContaining(["mock"]));
  }
});

it("the generated gaps offer each client only the readings of one API", () => {
  for (const id of Object.keys(storeClientReadings)) expect(gaps).toHaveProperty([id, "api"], "store");
  for (const id of Object.keys(fleetClientReadings)) expect(gaps).toHaveProperty([id, "api"], "fleet");
});

it("the generated gaps list the default strategy first", () => {
  for (const [id, names] of Object.entries(storeClientStrategies)) {
    expect(gaps).toHaveProperty([id, "strategy-default"], names[0]);
  }
});
