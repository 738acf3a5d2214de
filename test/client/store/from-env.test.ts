import { afterEach, describe, expect, it, vi } from "vitest";
import { FleetClient, fleetFromEnv } from "../../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { ConfigurationError, logTo, storeFromEnv } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";

const ref = createReferenceServer();
const { fetch } = ref;
const key = ref.keys[0]?.key ?? "";
const env = {
  SHELFLEET_STORE_URL: ref.storeUrl,
  SHELFLEET_TOKEN: ref.token,
  SHELFLEET_FLEET_URL: ref.fleetUrl,
  SHELFLEET_KEY: key,
};

afterEach(() => vi.unstubAllEnvs());

describe("storeFromEnv and fleetFromEnv", () => {
  it("makes both clients out of variables", async () => {
    const store = storeFromEnv({ fetch }, env);
    expect((await store.stores.list()).items.length).toBeGreaterThan(0);
    const fleet = fleetFromEnv({ fetch }, env);
    expect((await fleet.vehicles.list()).items.length).toBeGreaterThan(0);
  });

  it("reads the environment of the process when it is called", async () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect((await storeFromEnv({ fetch }).stores.list()).items.length).toBeGreaterThan(0);
    expect((await fleetFromEnv({ fetch }).vehicles.list()).items.length).toBeGreaterThan(0);
  });

  it("has no variables on a platform without a process", () => {
    vi.stubGlobal("process", undefined);
    try {
      expect(() => storeFromEnv()).toThrow("SHELFLEET_STORE_URL is not set");
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each([undefined, {}, { userAgent: "Node.js/24" }])(
    "a client has its own user agent where the platform's is %j",
    async (navigator) => {
      vi.stubGlobal("navigator", navigator);
      try {
        const sent: Record<string, string>[] = [];
        const watched = async (_: string, { headers }: { headers: Record<string, string> }) => {
          sent.push(headers);
          return json({ storeId: "1" });
        };
        await storeFromEnv({ fetch: watched }, env).stores.get("S-1");
        expect(sent[0]?.["user-agent"]).toMatch(/^shelfleet\//);
      } finally {
        vi.unstubAllGlobals();
      }
    },
  );

  it("prefers its options", async () => {
    const sent: string[] = [];
    const options = {
      baseUrl: "https://other.example",
      token: "another-token",
      fetch: async (url: string) => {
        sent.push(url);
        return json({ storeId: "1" });
      },
    };
    await storeFromEnv(options, env).stores.get("S-1");
    await storeFromEnv(options, {}).stores.get("S-1");
    expect(new Set(sent)).toEqual(new Set(["https://other.example/v1/stores/S-1"]));
  });

  it.each([
    ["baseUrl", { baseUrl: ref.fleetUrl }],
    ["environments", { environments: { production: ref.fleetUrl } }],
  ])("prefers the option `%s` of the fleet client to both URL variables", async (_, options) => {
    const sent: string[] = [];
    const watched = (url: string, init: Parameters<typeof fetch>[1]): ReturnType<typeof fetch> => {
      sent.push(new URL(url).origin);
      return fetch(url, init);
    };
    const others = {
      SHELFLEET_FLEET_URL: "https://other.example/api/third-party/v1",
      SHELFLEET_SANDBOX_URL: "https://another.example/api/third-party/v1",
    };
    for (const variables of [others, {}])
      await fleetFromEnv({ ...options, key, fetch: watched }, variables).vehicles.list();
    expect(new Set(sent)).toEqual(new Set([new URL(ref.fleetUrl).origin]));
  });

  it("accepts an insecure URL of a variable only with `allowInsecure`", () => {
    const insecure = { ...env, SHELFLEET_FLEET_URL: "http://fleet.example/api/third-party/v1" };
    expect(() => fleetFromEnv({}, insecure)).toThrow("SHELFLEET_FLEET_URL");
    expect(() => fleetFromEnv({ allowInsecure: false }, insecure)).toThrow("SHELFLEET_FLEET_URL");
    expect(fleetFromEnv({ allowInsecure: true }, insecure)).toBeInstanceOf(FleetClient);
  });

  it("lets the key pick the environment", async () => {
    const sandboxKey = ref.keys.find((one) => one.key.includes("_test_"))?.key ?? "";
    const variables = { SHELFLEET_SANDBOX_URL: ref.sandboxUrl, SHELFLEET_KEY: sandboxKey };
    expect((await fleetFromEnv({ fetch }, variables).vehicles.list()).items.length).toBeGreaterThan(0);
    expect(() => fleetFromEnv({}, { ...variables, SHELFLEET_KEY: key })).toThrow(
      "the key is a production key, but environments.production has no URL",
    );
  });

  it.each<[message: string, make: () => unknown]>([
    ["SHELFLEET_STORE_URL is not set", () => storeFromEnv({}, {})],
    ["SHELFLEET_TOKEN is not set", () => storeFromEnv({}, { ...env, SHELFLEET_TOKEN: " " })],
    ["SHELFLEET_KEY is not set", () => fleetFromEnv({}, { SHELFLEET_FLEET_URL: ref.fleetUrl })],
    [
      "Neither of the environment variables SHELFLEET_FLEET_URL and SHELFLEET_SANDBOX_URL is set",
      () => fleetFromEnv({}, { SHELFLEET_KEY: key }),
    ],
    [
      "SHELFLEET_STORE_URL must be an http or https URL",
      () => storeFromEnv({}, { ...env, SHELFLEET_STORE_URL: "stores.example.com" }),
    ],
    [
      "SHELFLEET_STORE_URL must not end in /v1, which every path has. Write https://stores.example.com",
      () => storeFromEnv({}, { ...env, SHELFLEET_STORE_URL: "https://stores.example.com/v1" }),
    ],
    [
      "SHELFLEET_SANDBOX_URL must end in /api/third-party/v1. Write https://f.example/api/third-party/v1",
      () => fleetFromEnv({}, { ...env, SHELFLEET_SANDBOX_URL: "https://f.example" }),
    ],
    [
      "SHELFLEET_LOG must be one of debug, info, warn, error",
      () => storeFromEnv({}, { ...env, SHELFLEET_LOG: "verbose" }),
    ],
  ])("says what is wrong: %s", (message, make) => {
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  it("logs to the console from the level in SHELFLEET_LOG on", async () => {
    const debug = vi.spyOn(console, "debug").mockImplementation(() => {});
    const info = vi.spyOn(console, "info").mockImplementation(() => {});
    await storeFromEnv({ fetch }, { ...env, SHELFLEET_LOG: "debug" }).stores.get("S-1");
    expect(info).toHaveBeenCalledTimes(1);
    expect(debug).toHaveBeenCalledTimes(1);
    await storeFromEnv({ fetch }, { ...env, SHELFLEET_LOG: "warn" }).stores.get("S-1");
    expect(info).toHaveBeenCalledTimes(1);
    await storeFromEnv({ fetch, log: logTo(console) }, { ...env, SHELFLEET_LOG: "error" }).stores.get("S-1");
    await fleetFromEnv({ fetch, log: logTo(console) }, { ...env, SHELFLEET_LOG: "error" }).vehicles.list();
    expect(info).toHaveBeenCalledTimes(3);
    vi.restoreAllMocks();
  });
});
