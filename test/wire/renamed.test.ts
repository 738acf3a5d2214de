import { describe, expect, it } from "vitest";
import { gapReadings } from "../../generated/readings.ts";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { StoreClient } from "../../src/client/store/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

const all = Object.fromEntries(Object.entries(gapReadings).map(([gap, [first]]) => [gap, first]));
const baseUrl = "https://x.example";
const key = `acme_${"0".repeat(64)}`;

const takeStore = (readings: object): unknown => new StoreClient({ baseUrl, token: "t", readings });
const takeFleet = (readings: object): unknown =>
  new FleetClient({ baseUrl: `${baseUrl}/api/third-party/v1`, key, readings });
const takeMock = (readings: object): unknown => createReferenceServer({ readings });

describe.each([
  ["a fleet client", takeFleet],
  ["the reference server", takeMock],
])("a renamed gap of %s", (_, take) => {
  it("is an error with the present ID, also in a readings file", () => {
    const old = { "lists.unshown": "whole" };
    const message = /unknown gap "lists\.unshown".*It is now "lists\.undocumented"/;
    expect(() => take(old)).toThrow(message);
    expect(() => take({ version: 1, readings: old })).toThrow(message);
  });
});

describe.each([
  ["a store client", takeStore],
  ["the reference server", takeMock],
])("a renamed reading of %s", (_, take) => {
  it("is an error with the present ID", () => {
    const old = { "expositions.unknown-id": "created-anew" };
    expect(() => take(old)).toThrow(/It is now "created-with-new-id"/);
  });
});

describe.each([
  ["a store client", takeStore, "lists.unshown"],
  ["a fleet client", takeFleet, "protocols.id-member"],
])("readings of %s that concern others", (_, take, foreign) => {
  it("are ignored", () => {
    expect(() => take({ ...all, "requests.check-order": "any value" })).not.toThrow();
  });

  it("fail with an earlier ID", () => {
    expect(() => take({ [foreign]: "id" })).toThrow(/unknown gap/);
  });
});

describe.each([
  ["a store client", takeStore],
  ["a fleet client", takeFleet],
  ["the reference server", takeMock],
])("the readings of %s", (_, take) => {
  it("fail without one for a name that every object has", () => {
    expect(() => take({ constructor: "x" })).toThrow(/unknown gap "constructor"(?!.*It is now)/);
  });
});
