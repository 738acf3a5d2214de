import { describe, expect, it } from "vitest";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { StoreClient } from "../../src/client/store/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

const baseUrl = "https://x.example";
const key = `acme_${"0".repeat(64)}`;

/** Everything that takes readings. */
const takers: [string, (readings: object) => unknown][] = [
  ["a store client", (readings) => new StoreClient({ baseUrl, token: "t", readings })],
  ["a fleet client", (readings) => new FleetClient({ baseUrl, key, readings })],
  ["the reference server", (readings) => createReferenceServer({ readings })],
];

describe.each(takers)("readings of %s", (_, take) => {
  it("fail with the present ID of a renamed gap, also in a readings file", () => {
    const old = { "lists.unshown": "whole" };
    const message = /unknown gap "lists\.unshown".*It is now "lists\.undocumented"/;
    expect(() => take(old)).toThrow(message);
    expect(() => take({ version: 1, readings: old })).toThrow(message);
  });

  it("fail with the present ID of a renamed reading", () => {
    expect(() => take({ "protocols.next-page": "ignored-fresh" })).toThrow(/It is now "ignored-new-cursor"/);
  });

  it("fail without one for a name that every object has", () => {
    expect(() => take({ constructor: "x" })).toThrow(/unknown gap "constructor"(?!.*It is now)/);
  });
});
