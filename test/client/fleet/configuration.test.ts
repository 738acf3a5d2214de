import { describe, expect, it } from "vitest";
import { ConfigurationError, FleetClient } from "../../../src/client/fleet/index.ts";
import { baseUrl, key } from "./stub-client.ts";

const good = { baseUrl, key };

const wrong: [name: string, options: object | null | undefined][] = [
  ["nothing", undefined],
  ["null", null],
  ["no address", { key }],
  ["environments without an address", { key, environments: {} }],
  ["an address of another scheme", { ...good, baseUrl: "ftp://fleet.example" }],
  ["http to a host that is not loopback", { ...good, baseUrl: "http://fleet.example" }],
  ["a production address over http", { key, environments: { production: "http://fleet.example" } }],
  ["a sandbox that is no address", { key, environments: { production: baseUrl, sandbox: "x" } }],
  ["a key prefix that is empty", { ...good, keyPrefix: "" }],
  ["a key prefix that is a pattern", { ...good, keyPrefix: /acme/ }],
  ["an API version that is a number", { ...good, apiVersion: 1 }],
  ["an API version that is empty", { ...good, apiVersion: "" }],
  ["an API version with a line break", { ...good, apiVersion: "v1\nx: y" }],
  ["scopes that are a text", { ...good, scopes: "vehicles:read" }],
  ["a scope that nobody knows", { ...good, scopes: ["vehicles:read", "vehicle:read"] }],
  ["a scope that is planned only", { ...good, scopes: ["reports:read"] }],
  ["a scope that is none", { ...good, scopes: [undefined, null] }],
  ["an earlier ID of a gap", { ...good, readings: { "lists.unshown": "whole" } }],
  ["a gap that nobody knows", { ...good, readings: { "photos.shape": "no-list" } }],
  ["a reading that nobody knows", { ...good, readings: { "lists.undocumented": "all" } }],
  ["a shape that nobody knows", { ...good, shapes: { inspection: {} } }],
  ["a shape that is no schema", { ...good, shapes: { vehicle: { parse: () => 1 } } }],
  ["an option of the other client", { ...good, token: key }],
  ["an authorization of one's own", { ...good, headers: { Authorization: key } }],
  ["a hook that nobody knows", { ...good, hooks: { onDrifts: () => {} } }],
];

describe("a FleetClient is not made with", () => {
  it.each(wrong)("%s", (_, options) => {
    const make = (): unknown => new FleetClient(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(key);
  });
});

it("an unknown scope is rejected with the ones that there are", () => {
  const make = (): unknown => new FleetClient({ ...good, scopes: ["vehicle:read"] as never });
  expect(make).toThrow(/scopes must be an array of vehicles:read, vehicles:write, /);
});
