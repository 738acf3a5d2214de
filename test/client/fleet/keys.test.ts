import { describe, expect, it } from "vitest";
import { ConfigurationError, FleetClient, type FleetClientOptions } from "../../../src/client/fleet/index.ts";
import { json, stubFetch } from "../core/stub-fetch.ts";
import { anyData, baseUrl, key, rejection, stubClient, testKey } from "./stub-client.ts";

const hex = "0123456789abcdefABCDEF0123456789".repeat(2);
const production = "https://fleet.example/api/third-party/v1";
const sandbox = "https://sandbox.example/api/third-party/v1/";

describe("a key (fleet 5)", () => {
  it.each([
    `acme_${hex}`,
    `acme_test_${hex}`,
    `acme-eu_2_${hex}`,
    `a_${hex.toLowerCase()}`,
    `A1_test_${hex.toUpperCase()}`,
    `1acme_${hex}`,
  ])("may be %s", (good) => {
    expect(() => new FleetClient({ baseUrl, key: good })).not.toThrow();
  });

  it.each([
    ["empty", ""],
    ["digits alone", hex],
    ["without a prefix", `_${hex}`],
    ["one digit short", `acme_${hex.slice(1)}`],
    ["one digit long", `acme_${hex}0`],
    ["with another letter", `acme_${hex.slice(1)}g`],
    ["with TEST in capitals", `acme_TEST-${hex}`],
    ["with a blank", ` acme_${hex}`],
    ["with a line break", `acme_${hex}\n`],
    ["of another alphabet", `ącme_${hex}`],
    ["with a letter after it", `acme_${hex}x`],
    ["with a character before it", `!acme_${hex}`],
    ["with a dash before it", `-acme_${hex}`],
    ["a number", 5],
    ["missing", undefined],
    ["null", null],
  ])("must not be %s, and is not quoted", (_, bad) => {
    const make = (): unknown => new FleetClient({ baseUrl, key: bad as never });
    expect(make).toThrow(ConfigurationError);
    expect(make).not.toThrow(hex);
    expect(make).not.toThrow(hex.slice(1));
  });

  it("must have the prefix where `keyPrefix` gives one", () => {
    expect(() => new FleetClient({ baseUrl, key, keyPrefix: "acme" })).not.toThrow();
    expect(() => new FleetClient({ baseUrl, key: testKey, keyPrefix: "acme" })).not.toThrow();
    for (const keyPrefix of ["acm", "ACME", "other"]) {
      const make = (): unknown => new FleetClient({ baseUrl, key, keyPrefix });
      expect(make).toThrow(`${keyPrefix}_ or ${keyPrefix}_test_`);
    }
  });

  it.each([`acme_x${hex}`, `acme_${hex}0`, `acme_${hex}x`])(
    "must have the prefix of `keyPrefix` in %s",
    (bad) => {
      expect(() => new FleetClient({ baseUrl, key: bad, keyPrefix: "acme" })).toThrow(ConfigurationError);
    },
  );

  it("is checked at the call where a function gives it", async () => {
    const { client, sent } = stubClient(undefined, { key: () => `acme_${hex}!` });
    const error = await rejection(client.vehicles.get("v-1"));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).not.toContain(hex);
    expect(sent).toEqual([]);
  });
});

describe("environments", () => {
  const make = (options: Partial<FleetClientOptions>) => {
    const { fetch, sent } = stubFetch(() => json(anyData));
    return {
      client: () => new FleetClient({ fetch, key, ...options } as FleetClientOptions),
      sent,
    };
  };

  it.each([
    [key, `${production}/vehicles/v-1`],
    [testKey, "https://sandbox.example/api/third-party/v1/vehicles/v-1"],
  ])("are picked by the key's prefix", async (own, url) => {
    const { client, sent } = make({ environments: { production, sandbox }, key: own });
    await client().vehicles.get("v-1");
    expect(sent[0]?.url).toBe(url);
  });

  it("follow a key function from one environment to the other", async () => {
    const keys = [key, testKey];
    const { client, sent } = make({ environments: { production, sandbox }, key: () => keys.shift() ?? key });
    const both = client();
    await both.vehicles.get("v-1");
    await both.vehicles.get("v-1");
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(["fleet.example", "sandbox.example"]);
  });

  it("reject a key of the other environment from a function before sending", async () => {
    const { client, sent } = make({ environments: { production }, key: () => testKey });
    expect(await rejection(client().vehicles.get("v-1"))).toBeInstanceOf(ConfigurationError);
    expect(sent).toEqual([]);
  });

  it("do not restrict the keys of another baseUrl", async () => {
    const { client, sent } = make({
      baseUrl: "http://localhost:9/x/api/third-party/v1",
      environments: { production },
      key: testKey,
    });
    await client().vehicles.get("v-1");
    expect(sent[0]?.url).toBe("http://localhost:9/x/api/third-party/v1/vehicles/v-1");
  });

  it("a baseUrl without environments accepts any key", async () => {
    const { client, sent } = make({ baseUrl: production, key: testKey });
    await client().vehicles.get("v-1");
    expect(sent).toHaveLength(1);
  });
});
