import { describe, expect, it } from "vitest";
import { findProxy } from "../../src/doctor/proxy.ts";
import { run } from "./run.ts";

const https = new URL("https://stores.example.com/api");

describe("the proxy of the environment", () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    [
      "is that of HTTPS_PROXY for https",
      { HTTPS_PROXY: "http://user:secret@proxy.example:3128" },
      "proxy.example:3128",
    ],
    ["is that of https_proxy before", { https_proxy: "http://low:1", HTTPS_PROXY: "http://up:2" }, "low:1"],
    ["is not that of HTTP_PROXY for https", { HTTP_PROXY: "http://proxy.example:3128" }, undefined],
    [
      "is not used for a host of NO_PROXY",
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.example, example.com" },
      undefined,
    ],
    [
      "is not used for a host and its port",
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "stores.example.com:443" },
      undefined,
    ],
    ["is used for another port", { HTTPS_PROXY: "http://p:1", NO_PROXY: "stores.example.com:8443" }, "p:1"],
    ["is not used with NO_PROXY=*", { HTTPS_PROXY: "http://p:1", no_proxy: "*" }, undefined],
    [
      "is used for a host that only ends with the same letters",
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "ample.com" },
      "p:1",
    ],
  ])("%s", (_, env, expected) => {
    expect(findProxy(https, env)).toBe(expected);
  });

  it("is named with a failure, without its password", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }));
    const env = {
      SHELFLEET_STORE_URL: String(https),
      SHELFLEET_TOKEN: "a-token-of-the-test",
      HTTPS_PROXY: "http://user:pw0rd@proxy.example:3128",
    };
    const { stdout, exitCode } = await run([], fetch, env);
    expect(stdout).toContain("through the proxy proxy.example:3128");
    expect(stdout).not.toContain("pw0rd");
    expect(exitCode).toBe(2);
  });
});
